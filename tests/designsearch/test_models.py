"""Commands that ask models, as a user meets them: what goes where, what it costs, and what a mistake says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from model_stub import Answer, Stub, refused

from designsearch import validate
from designsearch.runtime.models.books.tallies import read_spending

ARGUMENTS = ("--history", "history.jsonl", "--questions", "questions.jsonl")
GOLD = {"When does the ferry leave": "9:30", "How many socks did Miso eat": "three of them"}


class Helper:
    """Answers, judges and counts."""

    def __init__(self):
        self.chats = 0

    def __call__(self, path, body, number):
        if path != "/chat/completions":
            return None
        self.chats += 1
        text = "\n".join(message["content"] for message in body["messages"])
        if "You grade answers" in text:
            return json.dumps({"reason": "they agree", "verdict": "correct"})
        return next((gold for question, gold in GOLD.items() if question in text), "NO ANSWER")


def write_models(url, more="", extra=""):
    text = f'models:\n  default: {{model: stub, base_url: "{url}", retries: 1{more}}}\n{extra}'
    Path("models.yaml").write_text(text, encoding="utf-8")


def test_ask_says_what_goes_where_and_the_second_time_costs_nothing(command, world):
    helper = Helper()
    with Stub(helper) as stub:
        write_models(stub.url)
        asked = (
            "ask",
            "design.yaml",
            "When does the ferry leave?",
            "--history",
            "history.jsonl",
            "--models",
            "models.yaml",
        )
        done = command(*asked)
        assert done.status == 0
        assert f"answerer: stub at {stub.url} gets records and questions" in done.err
        assert "answer, by stub at" in done.out
        assert "9:30" in done.out
        assert re.search(r"^answerer +1 +0 +0 ", done.out, re.MULTILINE)
        again = command(*asked, "--json").json
        assert again["answer"]["text"] == "9:30"
        assert [(one["role"], one["calls"], one["cached"]) for one in again["costs"]] == [("answerer", 0, 1)]
        quiet = command(*asked, "-q")
        assert (quiet.out, quiet.err) == ("9:30\n", "")
    assert helper.chats == 1


def test_without_models_nothing_is_said_and_nothing_is_kept(command, world):
    done = command("ask", "design.yaml", "When does the ferry leave?", "--history", "history.jsonl")
    assert (done.status, done.err) == (0, "")
    assert not list((world.parent / "cache").glob("calls*"))


def test_eval_shows_accuracy_the_judge_and_what_each_took(command, world):
    helper = Helper()
    with Stub(helper) as stub:
        write_models(stub.url, ", price: {input: 1, output: 1}")
        done = command("eval", "design.yaml", *ARGUMENTS, "--models", "models.yaml", "--no-references")
        assert done.status == 0, done.err
        assert re.search(r"^judge +\d", done.out, re.MULTILINE)
        assert re.search(r"^all +\d", done.out, re.MULTILINE)
        shown = command("eval", "design.yaml", *ARGUMENTS, "--models", "models.yaml", "--no-references", "--json").json
        assert shown["rows"][0]["report"]["metrics"]["accuracy"]["mean"] == 1
        assert {one["role"] for one in shown["costs"]} == {"answerer", "judge"}
        assert all(one["calls"] == 0 and one["cached"] for one in shown["costs"])


@pytest.mark.parametrize("how", ["-q", "--json", "-v"])
@pytest.mark.parametrize("name", ["ask", "eval", "diagnose"])
def test_a_helper_that_failed_is_told_however_quiet(command, world, name, how):
    text = Path("design.yaml").read_text(encoding="utf-8")
    Path("lm.yaml").write_text(text.replace("retrieval:\n", "retrieval:\n  - {op: multi_query}\n", 1), encoding="utf-8")
    with Stub(lambda path, body, number: refused(400, "no", code="context_length_exceeded") if body else None) as stub:
        Path("models.yaml").write_text(
            f'models:\n  helper: {{model: stub, base_url: "{stub.url}", retries: 0}}\n', encoding="utf-8"
        )
        asked = ("When does the ferry leave?", *ARGUMENTS[:2]) if name == "ask" else ARGUMENTS
        done = command(name, "lm.yaml", *asked, "--models", "models.yaml", how)
    assert done.status == 0
    told = r"^the helper failed on (\d+) of \1 requests \(\1 too_long\): what it was to write for them is missing"
    assert len(re.findall(told, done.err, re.MULTILINE)) == 1


def test_diagnose_asks_a_model_only_where_answers_count(command, world):
    helper = Helper()
    with Stub(helper) as stub:
        write_models(stub.url)
        assert command("diagnose", "design.yaml", *ARGUMENTS, "--models", "models.yaml").status == 0
        assert helper.chats == 0
        done = command("diagnose", "design.yaml", *ARGUMENTS, "--models", "models.yaml", "--objective", "accuracy")
        assert done.status == 0
        assert helper.chats >= 3


def test_a_budget_holds_for_each_command(command, world):
    helper = Helper()
    with Stub(helper) as stub:
        write_models(stub.url, extra="budget: {llm_calls: 2}\n")
        done = command("eval", "design.yaml", *ARGUMENTS, "--models", "models.yaml", "--no-references")
        assert done.status == 3
        said = "models.yaml: budget.llm_calls is used up by this command; raise it and run the command again"
        assert said in done.err
        assert helper.chats == 2
        assert command("eval", "design.yaml", *ARGUMENTS, "--models", "models.yaml", "--no-references").status in (0, 3)
        assert helper.chats <= 4
    assert read_spending(world.parent / "cache" / "calls.sqlite").calls == helper.chats


def test_a_study_file_may_be_given_for_its_models(command, world):
    with Stub(Helper()) as stub:
        text = "study: s\ndata: [{history: gone.jsonl}]\nbase: gone.yaml\n"
        models = f'models: {{answerer: {{model: stub, base_url: "{stub.url}"}}}}\n'
        Path("study.yaml").write_text(text + models, encoding="utf-8")
        done = command(
            "ask",
            "design.yaml",
            "When does the ferry leave?",
            "--history",
            "history.jsonl",
            "-q",
            "--models",
            "study.yaml",
        )
        assert (done.status, done.out) == (0, "9:30\n")


def test_mistakes_in_a_file_of_models(command, world, golden):
    Path("models.yaml").write_text(
        "answerer: {model: qwen3}\nmodels:\n  default: {model: qwen3, api_key: abcdef}\n  jugde: local\n"
        "budget: {usd: 0}\n",
        encoding="utf-8",
    )
    done = command("eval", "design.yaml", *ARGUMENTS, "--models", "models.yaml")
    assert done.status == 2
    golden("models_file", done.err)
    checked = command("validate", "models.yaml")
    assert checked.status == 2
    assert checked.out == done.err
    assert len(validate("models.yaml")) == 4
    write_models("http://127.0.0.1:8080/v1")
    assert command("validate", "models.yaml").out == "models.yaml: ok, models\n"
    assert validate("models.yaml") == []


STUDY = """\
version: 1
study: s
data: [{{history: history.jsonl, questions: questions.jsonl}}]
base: design.yaml
objective: accuracy
split: {{train: 0.34, validation: 0.33, locked: 0.33}}
models:
  default: {{model: stub, base_url: "{url}"{more}}}
"""


def wrong(kind, stub):
    """Address, further settings and script for one mistake of a new user."""
    key = lambda path, body, number: refused(401, "Incorrect API key provided", code="invalid_api_key")  # noqa: E731
    unknown = lambda path, body, number: None if body is None else refused(404, "model 'stub' not found")  # noqa: E731
    page = Answer(404, "<html>not here</html>", {"Content-Type": "text/html"})
    return {
        "dead server": ("http://127.0.0.1:9/v1", "", None),
        "wrong path": (stub.url.replace("/v1", "/api"), "", lambda path, body, number: page),
        "wrong key": (stub.url, ", api_key_env: MY_KEY", key),
        "wrong model": (stub.url, "", unknown),
    }[kind]


@pytest.mark.parametrize("kind", ["dead server", "wrong path", "wrong key", "wrong model"])
def test_a_new_users_mistake_is_one_line(command, world, monkeypatch, kind):
    monkeypatch.setenv("MY_KEY", "sk-verysecretkey123")
    with Stub(models=("other",)) as stub:
        url, more, stub.script = (lambda u, m, s: (u, m, s or stub.script))(*wrong(kind, stub))
        Path("study.yaml").write_text(STUDY.format(url=url, more=more), encoding="utf-8")
        write_models(url, more)
        for arguments in (
            ("ask", "design.yaml", "When?", "--history", "history.jsonl", "-q", "--models", "models.yaml"),
            ("run", "study.yaml", "-q"),
        ):
            done = command(*arguments)
            assert done.status == 4, done
            assert len(done.err.strip().splitlines()) == 1
            assert re.match(r"models\.\w+: ", done.err)
            assert "verysecret" not in done.err
            assert "Traceback" not in done.err
        assert kind == "wrong model" or not stub.bodies()


def test_a_key_that_is_not_set_is_told_by_its_variable(command, world, monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    Path("study.yaml").write_text(
        STUDY.format(url="http://127.0.0.1:9/v1", more=", api_key_env: MY_KEY"), encoding="utf-8"
    )
    done = command("run", "study.yaml", "-q")
    assert done.status == 2
    assert "the environment variable MY_KEY is not set" in done.err
    assert not Path("runs").exists()


def test_a_key_that_is_not_set_leaves_no_folder_of_generated_questions(command, world, monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    write_models("http://127.0.0.1:9/v1", more=", api_key_env: MY_KEY")
    done = command("supervise", "history.jsonl", "-o", "out", "--count", "4", "--models", "models.yaml")
    assert done.status == 2
    assert "the environment variable MY_KEY is not set" in done.err
    study = Path("study.yaml")
    text = STUDY.format(url="http://127.0.0.1:9/v1", more=", api_key_env: MY_KEY")
    study.write_text(text.replace("questions: questions.jsonl", "questions: {generate: {count: 4}}"), encoding="utf-8")
    done = command("run", "study.yaml", "-q")
    assert done.status == 2
    assert "the environment variable MY_KEY is not set" in done.err
    assert not Path("out").exists()
    assert not Path("runs").exists()


def test_run_log_and_replay_show_what_models_took(command, world):
    helper = Helper()
    with Stub(helper) as stub:
        Path("study.yaml").write_text(
            STUDY.format(url=stub.url, more=", price: {input: 1, output: 2}"), encoding="utf-8"
        )
        dry = command("run", "study.yaml", "--dry-run")
        assert "nothing was sent" in dry.out
        assert not stub.asked
        done = command("run", "study.yaml", "--json")
        assert done.status == 0, done.err
        assert done.json["costs"][0]["role"] == "answerer"
        costs = command("log", "s", "--costs", "--json").json
        assert costs["costs"] == done.json["costs"]
        assert "base" in costs["by_work"]
        assert re.search(r"^answerer +\d", command("log", "s", "--costs").out, re.MULTILINE)
        asked = len(stub.asked)
        replayed = command("run", "study.yaml", "--replay")
        assert (replayed.status, replayed.out.startswith("replayed")) == (0, True)
        assert replayed.out.endswith("with 0 calls: the same decisions\n")
        assert len(stub.asked) == asked
    assert command("run", "study.yaml", "--replay", "--dry-run").status == 2


def test_a_study_without_models_is_replayed_too(command, world):
    text = STUDY.partition("models:")[0].format().replace("accuracy", "evidence_coverage")
    Path("study.yaml").write_text(text + "budget: {trials: 2}\naccept: {op: strict}\n", encoding="utf-8")
    assert command("run", "study.yaml").status in (0, 4)
    done = command("run", "study.yaml", "--replay")
    assert done.status == 0, done
    assert "0 calls: the same decisions" in done.out
    assert command("log", "s", "--costs").out == "s: no model was asked\n"


def test_the_models_that_init_shows_are_valid_once_they_are_no_comment(command, world):
    assert command("init", "new", "--history", "history.jsonl").status == 0
    study = Path("new/study.yaml")
    text = study.read_text(encoding="utf-8")
    assert "# models:" in text
    study.write_text(re.sub(r"^# (models:|  default:|  judge:)", r"\1", text, flags=re.MULTILINE), encoding="utf-8")
    done = command("validate", "new/study.yaml")
    assert done.status == 0, done.out
    study.write_text(
        study.read_text(encoding="utf-8").replace("{trials: 30}", "{trials: 30, usd: 5}"), encoding="utf-8"
    )
    refused_one = command("validate", "new/study.yaml")
    assert refused_one.status == 2
    assert "models.default: has no price, and the budget has a cap in US dollars" in refused_one.out
