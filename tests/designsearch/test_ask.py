from pathlib import Path

import pytest
from small_world import write_lines


def test_answer_context_and_trace(command, golden):
    done = command("ask", "design.yaml", "--history", "history.jsonl", "How many socks did Miso eat?")
    assert done.status == 0
    golden("ask", done.out, timed=True)


def test_quiet_gives_the_answer_alone(command):
    done = command("ask", "-q", "design.yaml", "--history", "history.jsonl", "How many socks did Miso eat?")
    assert done == (0, "3\n", "")


def test_verbose_shows_the_texts_of_the_best_hits(command):
    done = command("ask", "-v", "design.yaml", "--history", "history.jsonl", "socks")
    assert "retrieval[1] m4" in done.out
    assert done.out.count("Miso ate 3 socks today.") == 3


def test_json(command):
    found = command("ask", "--json", "design.yaml", "--history", "history.jsonl", "How many socks did Miso eat?").json
    assert found["design"] == "words"
    assert found["history"] == "history"
    assert found["answer"]["text"] == "3"
    assert found["answer"]["abstained"] is False
    assert found["records"] == found["units"] == 5
    assert [(stage["path"], stage["op"], stage["kept"]) for stage in found["stages"]] == [
        ("retrieval[0]", "bm25", 2),
        ("retrieval[1]", "take", 2),
    ]
    assert found["stages"][0]["top"][0]["records"] == ["m4"]
    assert found["context"]["text"].endswith("[2025-03-09] Ida: Miso ate 3 socks today.")
    assert [unit["records"] for unit in found["context"]["units"]] == [["m3"], ["m4"]]


def test_as_of_hides_what_came_later(command):
    ask = ("ask", "--json", "design.yaml", "--history", "history.jsonl", "How much is the rent in euros?")
    assert "840" in command(*ask).json["context"]["text"]
    early = command(*ask, "--as-of", "2025-04-19").json
    assert early["as_of"] == "2025-04-19"
    assert early["records"] == 4
    assert "840" not in early["context"]["text"]


def test_a_setting_of_the_design(command):
    done = command(
        "ask", "--json", "design.yaml", "--history", "history.jsonl", "--set", "retrieval[1].k=1", "Miso socks"
    )
    assert done.json["stages"][1]["kept"] == 1


def test_a_query_stage_says_what_is_searched_for(command):
    text = Path("design.yaml").read_text()
    prf = "  - {op: prf, feedback: [{op: bm25}], terms: 4}\n  - {op: bm25, k: 50}\n"
    Path("prf.yaml").write_text(text.replace("  - {op: bm25, k: 50}\n", prf), encoding="utf-8")
    done = command("ask", "prf.yaml", "--history", "history.jsonl", "Miso")
    assert "searches for: Miso; " in done.out


def test_an_empty_history_is_answered_with_nothing(command):
    write_lines("empty.jsonl", [])
    done = command("ask", "design.yaml", "--history", "empty.jsonl", "Who?")
    assert done.status == 0
    assert "0 records stored as 0 units" in done.out
    assert done.out.endswith("(the context does not hold an answer)\n")
    assert "the history is empty" in done.err


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_an_empty_question_is_a_mistake(question, command):
    done = command("ask", "design.yaml", "--history", "history.jsonl", question)
    assert done == (2, "", "the question is empty: write what you want to know, in quotes\n")


@pytest.mark.parametrize("question", ["?!", '36" shelf', "bread AND", "お茶", "\x1b[31m"])
def test_any_words_are_a_question(question, command):
    assert command("ask", "design.yaml", "--history", "history.jsonl", question).status == 0


def test_text_of_a_history_cannot_drive_the_terminal(command):
    write_lines("evil.jsonl", [{"id": "e", "text": "zebra \x1b]0;owned\x07 {{ 7 * 7 }} [bold]x[/bold]"}])
    done = command("ask", "design.yaml", "--history", "evil.jsonl", "zebra")
    assert "\x1b" not in done.out
    assert "{{ 7 * 7 }} [bold]x[/bold]" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--as-of", "soon"], "--as-of: 'soon' is no time"),
        (["--history", "no.jsonl"], "no.jsonl: there is no such file or folder"),
        (["--history", "history.jsonl#other"], "holds no history 'other'"),
        (["--format", "locomo2"], "unknown format 'locomo2'"),
        (["--sources", "mail"], "no record comes from source 'mail'"),
    ],
)
def test_mistakes(arguments, said, command):
    history = [] if "--history" in arguments else ["--history", "history.jsonl"]
    done = command("ask", "design.yaml", "why?", *history, *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


def test_one_history_of_several(command):
    Path("set").mkdir()
    turns = {
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hello"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    }
    data = [
        {"sample_id": f"conv-{n}", "conversation": {"speaker_a": "A", "speaker_b": "B", **turns}, "qa": []}
        for n in (1, 2)
    ]
    import json

    Path("set.json").write_text(json.dumps(data), encoding="utf-8")
    done = command("ask", "design.yaml", "--history", "set.json", "hello?")
    assert done.status == 2
    assert "holds 2 histories; name one of them as set.json#NAME (it holds: conv-1, conv-2)" in done.err
    assert command("ask", "design.yaml", "--history", "set.json#conv-2", "hello?").status == 0


def test_the_steps_of_a_policy_are_shown(command):
    text = Path("design.yaml").read_text(encoding="utf-8")
    changed = text.replace("{op: bm25, k: 50}", "{op: policy, search: [{op: bm25, k: 50}]}")
    Path("policy.yaml").write_text(changed, encoding="utf-8")
    done = command("ask", "policy.yaml", "--history", "history.jsonl", "How many socks did Miso eat?")
    assert "retrieval[0] policy: 1 search, 2 notes written, " in done.out
    rows = [line.split() for line in done.out.splitlines()]
    assert next(row for row in rows if row[:2] == ["1", "search"])[2:5] == ["2", "question:", "How"]
    assert next(row for row in rows if row[:2] == ["2", "add"])[-2:] == ["m4,", "m3"]
    assert ["3", "stop"] in rows


def test_the_steps_of_a_policy_inside_a_branch_are_shown(command):
    text = Path("design.yaml").read_text(encoding="utf-8")
    policy = "{op: policy, search: [{op: bm25, k: 50}]}"
    branch = f"{{op: branch, branches: {{near: [{policy}], new: [{{op: recent}}]}}, fuse: {{op: rrf}}}}"
    Path("policy.yaml").write_text(text.replace("{op: bm25, k: 50}", branch), encoding="utf-8")
    ask = ("ask", "policy.yaml", "--history", "history.jsonl", "How many socks did Miso eat?")
    assert "retrieval[0].branches.near[0] policy: 1 search, 2 notes written, " in command(*ask).out
    stage = command(*ask, "--json").json["stages"][0]
    assert stage["episode"] == []
    (nested,) = stage["nested"]
    assert (nested["path"], nested["op"]) == ("retrieval[0].branches.near[0]", "policy")
    assert [step["action"] for step in nested["episode"]] == ["search", "add", "stop"]
