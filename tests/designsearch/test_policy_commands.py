"""The commands of policy on a small world: what they play, write and refuse, and designs that carry weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_world import write_lines

from designsearch.search.training.judging.opinions import Opinion

WEIGHTS = {
    "format": "designsearch-policy-1",
    "about": {"tokens": 40},
    "tokens": 60,
    "selector": {"bm25": 1.0},
    "go_on": {"always": 5.0},
    "decide": {"question": {"first": 4.0}, "stop": {"always": 1.0}},
}

ON = ("--history", "history.jsonl", "--questions", "questions.jsonl")

STUDY = """\
version: 1
study: ferry
data: [{history: history.jsonl, questions: questions.jsonl}]
base: designs/policy.yaml
split: {train: 0.34, validation: 0.33, locked: 0.33}
budget: {trials: 1}
"""


def design(settings, search="{op: bm25, k: 3}", before=""):
    """A design whose policy has some settings."""
    policy = f"  - {{op: policy, {settings}, search: [{search}]}}\n"
    return f"version: 1\nname: p\nstorage: {{units: {{op: records}}}}\nretrieval:\n{before}{policy}"


@pytest.fixture
def learned(command):
    """A design with weights beside it, in a folder of its own."""
    Path("designs").mkdir()
    Path("designs/w.json").write_text(json.dumps(WEIGHTS), encoding="utf-8")
    Path("designs/policy.yaml").write_text(design("policy: learned, weights: w.json"), encoding="utf-8")
    return command


def lines(name):
    return [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines()]


def test_help_of_the_group(command, golden):
    done = command("policy", "--help")
    assert (done.status, done.err) == (0, "")
    assert command("policy", "-h").out == done.out
    golden("policy_help", done.out)


def test_the_group_alone_is_a_mistake(command, golden):
    done = command("policy")
    assert done.status == 2
    golden("policy_alone", done.err)


def test_a_rollout_plays_the_policy_with_the_settings_of_the_design(command):
    Path("p.yaml").write_text(design("max_steps: 4, reading: in_order", "{op: recent, k: 5}"), encoding="utf-8")
    assert command("policy", "rollout", "p.yaml", *ON, "-o", "e.jsonl").status == 0
    first = [unit for line in lines("e.jsonl") for unit in line["steps"][0]["found"]]
    assert first[:5] == [["m1"], ["m2"], ["m3"], ["m4"], ["m5"]]


def test_train_says_how_many_questions_it_needs(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    done = command("policy", "train", "p.yaml", *ON, "-o", "w.json")
    assert (done.status, done.out, Path("w.json").exists()) == (4, "", False)
    assert done.err == (
        "the policy cannot be trained: it needs 4 questions with evidence at least, of which a quarter is held out; "
        "these histories have 2\n"
    )


def many_questions():
    """Enough questions to train on; how they are named to a command."""
    asked = ("ferry leave?", "dog called?", "socks eaten by Miso?", "the rent?", "Texel?", "rent in euros?")
    records = ("m1", "m3", "m4", "m5", "m1", "m5")
    write_lines(
        "many.jsonl",
        [
            {"id": f"q{n}", "question": words, "answer": "x", "evidence": [{"record": record}]}
            for n, (words, record) in enumerate(zip(asked, records, strict=True))
        ],
    )
    return ("--history", "history.jsonl", "--questions", "many.jsonl")


def test_train_needs_no_weights_and_what_it_writes_can_be_used(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    on = many_questions()
    assert command("policy", "train", "p.yaml", *on, "-o", "w.json", "--rounds", "1").status == 0
    done = command("policy", "train", "p.yaml", *on, "-o", "w0.json", "--rounds", "0")
    assert done.status == 0
    assert ", nothing learnt from rewards" in done.out
    Path("l.yaml").write_text(design("policy: learned, weights: w.json"), encoding="utf-8")
    done = command("policy", "eval", "l.yaml", *on, "--json")
    assert done.status == 0
    assert "learned policy" in [row["what"] if "what" in row else row["name"] for row in done.json["rows"]]


def test_train_says_when_the_notes_are_too_short_for_any_evidence(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    done = command("policy", "train", "p.yaml", *many_questions(), "-o", "w.json", "--rounds", "0", "--tokens", "1")
    assert done.status == 0
    assert "at 1 token of notes" in done.out
    assert done.err == "nothing of the evidence was kept: 1 token of notes may be too few (--tokens)\n"


def test_train_learns_from_a_reward_model(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    on = many_questions()
    assert command("policy", "pairs", "p.yaml", *on, "-o", "reward").status == 0
    asked = ("policy", "train", "p.yaml", *on, "--rounds", "2")
    assert command(*asked, "-o", "rule.json", "--curve", "rule.jsonl").status == 0
    done = command(*asked, "--reward", "reward/reward.json", "-o", "model.json", "--curve", "model.jsonl")
    assert (done.status, done.err) == (0, "")
    rule, model = lines("rule.jsonl"), lines("model.jsonl")
    assert rule[0]["held_out"] == model[0]["held_out"], "the rule measures both"
    assert rule[0]["played"]["actions"] == model[0]["played"]["actions"]
    assert rule[0]["played"]["reward"] != model[0]["played"]["reward"]
    assert all(0 <= point["played"]["reward"] <= 1 for point in model[:-1])


class Silent:
    """Judges nothing."""

    fingerprint = "silent"

    def judge(self, episodes):
        return [Opinion(failure="no reply") for _ in episodes]

    def told(self):
        return "no episode was judged: no reply"


def test_train_does_not_pass_for_learning_what_nobody_judged(command, monkeypatch):
    monkeypatch.setattr("designsearch.cli.policy_train.small_judge", lambda named: Silent())
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    done = command("policy", "train", "p.yaml", *many_questions(), "--rounds", "2", "-o", "w.json")
    assert (done.status, done.err) == (4, "nothing was judged: no episode was judged: no reply\n")
    assert not Path("w.json").exists()


def test_train_cannot_learn_from_a_model_that_is_not_there(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    done = command("policy", "train", "p.yaml", *many_questions(), "--reward", "reviewer", "-o", "w.json")
    assert (done.status, done.err) == (
        2,
        "--reward reviewer needs a model in the role reviewer: name it in the file of --models\n",
    )


def test_validate_reads_the_weights_that_a_design_names(learned):
    assert learned("validate", "designs/policy.yaml").status == 0
    Path("study.yaml").write_text(STUDY, encoding="utf-8")
    Path("designs/w.json").write_text(json.dumps(WEIGHTS | {"tokens": 0}), encoding="utf-8")
    inner = "{op: bm25, k: 2}, {op: policy, policy: learned, weights: w.json, search: [{op: bm25}]}, {op: rrf}"
    Path("designs/inner.yaml").write_text(design("policy: rules", inner), encoding="utf-8")
    said = f"weights: {Path('designs/w.json').resolve()}: tokens is 0; a whole number above 0 is needed"
    for file, place in (
        ("designs/policy.yaml", "designs/policy.yaml:5:44: retrieval[0]."),
        ("study.yaml", "designs/policy.yaml:5:44: retrieval[0]."),
        ("designs/inner.yaml", "designs/inner.yaml:5:99: retrieval[0].search[1]."),
    ):
        done = learned("validate", file)
        assert (done.status, done.out.splitlines()[0]) == (2, place + said)


def test_validate_says_as_a_run_would_that_weights_read_a_view_that_is_not_there(learned):
    Path("designs/w.json").write_text(json.dumps(WEIGHTS | {"selector": {"cosine.summary": 1.0}}), encoding="utf-8")
    told = (
        f"{Path('designs/w.json').resolve()}: the weights use the feature cosine.summary, but the store has no view"
        " summary (it has raw); add the view to storage, or train a policy for this design"
    )
    done = learned("validate", "designs/policy.yaml")
    assert done.status == 2
    assert done.out.splitlines()[:3] == [
        f"designs/policy.yaml:5:44: retrieval[0].weights: {told}",
        "      - {op: policy, policy: learned, weights: w.json, search: [{op: bm25, k: 3}]}",
        f"{' ' * 47}^",
    ]
    asked = learned("ask", "designs/policy.yaml", "--history", "history.jsonl", "When does the ferry leave?")
    assert (asked.status, asked.err) == (2, f"{told}\n")
    text = Path("designs/policy.yaml").read_text(encoding="utf-8").replace("op: records", "op: events")
    Path("designs/policy.yaml").write_text(text, encoding="utf-8")
    assert learned("validate", "designs/policy.yaml").status == 0


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        (json.dumps(WEIGHTS | {"tokens": 0}), "tokens is 0; a whole number above 0 is needed"),
        (json.dumps(WEIGHTS | {"pick": {"bm25.phrase": 1}}), "the store has no view phrase"),
        ('{"format": "designsearch-policy-1", "tokens": 1, "tokens": 2}', "key given twice in one object: tokens"),
        ('{"format": ', "w.json:1:12: not JSON"),
    ],
)
def test_a_study_with_weights_that_cannot_be_used_leaves_nothing_and_runs_once_they_are_mended(learned, weights, told):
    Path("study.yaml").write_text(STUDY, encoding="utf-8")
    Path("designs/w.json").write_text(weights, encoding="utf-8")
    for options in ([], ["--dry-run"]):
        done = learned("run", "study.yaml", *options)
        assert done.status == 2
        assert done.err.startswith("designs/policy.yaml:5:44: retrieval[0].weights: ")
        assert told in done.err
        assert not Path("runs").exists()
    Path("designs/w.json").write_text(json.dumps(WEIGHTS), encoding="utf-8")
    assert learned("run", "study.yaml").status == 0


@pytest.mark.parametrize("name", ["train", "eval"])
def test_tokens_beyond_all_histories_are_refused(learned, name):
    to = ("-o", "w.json") if name == "train" else ()
    done = learned("policy", name, "designs/policy.yaml", *ON, *to, "--tokens", "9" * 23)
    assert done.status == 2
    assert f"--tokens: must be at most 10,000,000, not '{'9' * 23}'" in done.err


def test_the_level_of_eval_is_that_of_the_weights_where_nothing_is_told(learned):
    Path("designs/w.json").write_text(json.dumps(WEIGHTS | {"about": {"tokens": "lots"}}), encoding="utf-8")
    assert learned("policy", "eval", "designs/policy.yaml", *ON).status == 0


@pytest.mark.parametrize("name", ["p.yaml", "history.jsonl", "questions.jsonl", "link"])
@pytest.mark.parametrize("what", ["train", "rollout"])
def test_what_is_read_is_not_overwritten(command, what, name):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    Path("link").symlink_to("history.jsonl")
    before = Path(name).read_bytes()
    done = command("policy", what, "p.yaml", *ON, "-o", name)
    assert (done.status, done.err) == (
        2,
        f"{name}: is read by this very command and is not overwritten; name another file\n",
    )
    assert Path(name).read_bytes() == before


def test_results_of_eval_do_not_overwrite_what_is_read(command):
    before = Path("history.jsonl").read_bytes()
    assert command("eval", "design.yaml", *ON, "--out", "history.jsonl").status == 2
    assert Path("history.jsonl").read_bytes() == before


def test_scores_and_curve_have_files_of_their_own(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    assert command("policy", "rollout", "p.yaml", *ON, "-o", "e.jsonl").status == 0
    before = Path("e.jsonl").read_bytes()
    assert command("policy", "score", "e.jsonl", "--out", "./e.jsonl").status == 2
    assert Path("e.jsonl").read_bytes() == before
    done = command("policy", "train", "p.yaml", *ON, "-o", "w.json", "--curve", "./w.json")
    assert (done.status, done.err) == (2, "./w.json: is named for both --out and --curve; name two files\n")


def test_episodes_about_unknown_evidence_are_not_scored(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    asked = [json.loads(line) for line in Path("questions.jsonl").read_text(encoding="utf-8").splitlines()]
    write_lines(
        "lost.jsonl", [asked[0], {"id": "x", "question": "Who?", "answer": "Ada", "evidence": [{"record": "gone"}]}]
    )
    on = ("--history", "history.jsonl", "--questions", "lost.jsonl")
    done = command("policy", "rollout", "p.yaml", *on, "-o", "e.jsonl")
    assert [line["gold"] for line in lines("e.jsonl")] == [["m1"], None]
    done = command("policy", "score", "e.jsonl")
    assert done.out.splitlines()[0].endswith(", 1 episode")
    assert done.out.splitlines()[1] == "1 episode of questions whose evidence is not known: not scored"
    Path("e.jsonl").write_text(Path("e.jsonl").read_text(encoding="utf-8").splitlines()[1] + "\n", encoding="utf-8")
    done = command("policy", "score", "e.jsonl")
    assert (done.status, done.err) == (
        4,
        "e.jsonl: of none of its questions the evidence is known, so there is nothing to score\n",
    )


@pytest.mark.parametrize("name", ["train", "rollout", "eval"])
def test_no_view_is_offered_that_is_not_kept_to(command, name):
    done = command("policy", name, "design.yaml", *ON, "-o", "x", "--history-view", "as_of")
    assert done.status == 2
    assert "--history-view" in done.err


def test_a_policy_by_a_model_takes_the_models_of_a_file(command):
    Path("p.yaml").write_text(design("policy: llm"), encoding="utf-8")
    done = command("policy", "rollout", "p.yaml", *ON, "-o", "e.jsonl")
    assert (done.status, Path("e.jsonl").exists()) == (2, False)
    assert "policy needs a model for the role helper" in done.err
    assert command("policy", "rollout", "p.yaml", *ON, "-o", "e.jsonl", "--models", "none.yaml").status == 2


def test_a_policy_by_a_model_names_no_weights(learned, golden):
    Path("designs/p.yaml").write_text(design("policy: llm, weights: w.json"), encoding="utf-8")
    done = learned("validate", "designs/p.yaml")
    assert done.status == 2
    golden("policy_llm_weights", done.out + done.err)


def test_a_study_of_a_design_with_weights_can_be_asked_exported_and_gone_on_from(learned):
    Path("study.yaml").write_text(STUDY, encoding="utf-8")
    assert learned("run", "study.yaml").status == 0
    assert learned("ask", "study.yaml@best", "--history", "history.jsonl", "When does the ferry leave?").status == 0
    assert learned("diff", "study.yaml@base", "designs/policy.yaml").out == "no semantic change\n"
    Path("else/where").mkdir(parents=True)
    done = learned("export", "study.yaml@base", "-o", "else/where/p.yaml")
    assert done.status == 0
    assert "it reads designs/w.json: where the design goes, that file goes too" in done.err
    assert "weights: ../../designs/w.json" in Path("else/where/p.yaml").read_text(encoding="utf-8").replace('"', "")
    assert learned("diff", "else/where/p.yaml", "designs/policy.yaml").out == "no semantic change\n"
    Path("study.yaml").write_text(STUDY.replace("budget: {trials: 1}", "budget: {trials: 2}"), encoding="utf-8")
    assert learned("run", "study.yaml").status == 0
    Path("designs/w.json").write_text(json.dumps(WEIGHTS | {"tokens": 61}), encoding="utf-8")
    done = learned("run", "study.yaml")
    assert done.status == 4
    assert "this run cannot go on" in done.err


def test_a_reward_model_scores_the_steps_that_are_played(command):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    assert command("policy", "pairs", "p.yaml", *ON, "--variants", "2", "-o", "reward").status == 0
    assert command("policy", "rollout", "p.yaml", *ON, "--reward", "reward/reward.json", "-o", "e.jsonl").status == 0
    assert [len(line["scores"]) for line in lines("e.jsonl")] == [len(line["steps"]) for line in lines("e.jsonl")]
    shown = command("policy", "score", "e.jsonl", "--out", "s.jsonl").out
    assert "reward model" in shown
    assert all("model" in step for line in lines("s.jsonl") for step in line["steps"])
    assert command("policy", "rollout", "p.yaml", *ON, "-o", "e.jsonl").status == 0
    assert "reward model" not in command("policy", "score", "e.jsonl").out
    same = command("policy", "rollout", "p.yaml", *ON, "--reward", "reward/reward.json", "-o", "reward/reward.json")
    assert same.status == 2


@pytest.mark.parametrize(
    ("named", "told"),
    [("reviewer", "--reward reviewer needs a model in the role reviewer"), ("p.yaml", "p.yaml: is no reward model")],
)
def test_a_reward_model_that_is_not_there_is_told(command, named, told):
    Path("p.yaml").write_text(design("policy: rules"), encoding="utf-8")
    done = command("policy", "rollout", "p.yaml", *ON, "--reward", named, "-o", "e.jsonl")
    assert (done.status, Path("e.jsonl").exists()) == (2, False)
    assert told in done.err
