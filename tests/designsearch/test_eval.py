import json
from pathlib import Path

import pytest
from small_world import QUESTIONS, write_lines

EVAL = ("eval", "design.yaml", "--history", "history.jsonl", "--questions", "questions.jsonl")


def rows(done):
    return {row["label"]: row for row in done.json["rows"]}


def mean(row, metric):
    return row["report"]["metrics"][metric]["mean"]


def test_one_design(command, golden):
    done = command(*EVAL)
    assert done.status == 0
    golden("eval_one", done.out, timed=True)


def test_two_designs(command, golden):
    Path("other.yaml").write_text(
        Path("design.yaml").read_text().replace("name: words", "name: one").replace("k: 20", "k: 1"), encoding="utf-8"
    )
    done = command(*EVAL, "other.yaml", "--no-references", "--no-answers")
    golden("eval_two", done.out, timed=True)


def test_json(command):
    done = command(*EVAL, "--json", "--context-budget", "60")
    found = rows(done)
    assert list(found) == ["words", "oracle", "whole", "recent", "random"]
    assert done.json["setting"]["histories"] == {"history": {"records": 5, "questions": 3}}
    assert done.json["setting"]["context_budget"] == 60
    assert mean(found["words"], "evidence_coverage") == 1.0
    assert mean(found["oracle"], "evidence_coverage") == 1.0
    assert mean(found["oracle"], "answer_recall") == 1.0
    assert found["words"]["latency"]["questions"] == 3
    assert found["words"]["report"]["questions"] == 3
    assert found["recent"]["hash"] is None


def test_references_keep_to_the_budget_and_to_their_kind(command):
    found = rows(command(*EVAL, "--json", "--context-budget", "60", "--no-answers"))
    assert all(row["report"]["max_context_tokens"] <= 60 for row in found.values())
    # the ferry is in the first record, the socks are in the last but one
    by_type = {label: row["report"]["metrics"]["evidence_coverage"]["by_type"] for label, row in found.items()}
    assert (by_type["whole"]["fact"]["mean"], by_type["whole"]["count"]["mean"]) == (1.0, 0.0)
    assert (by_type["recent"]["fact"]["mean"], by_type["recent"]["count"]["mean"]) == (0.0, 1.0)


def test_chance_depends_on_the_seed_alone(command):
    def contexts(*arguments):
        found = rows(command(*EVAL, "--json", "--no-answers", "--context-budget", "30", *arguments))
        return mean(found["random"], "answer_recall"), found["random"]["report"]["mean_context_tokens"]

    assert contexts() == contexts("--seed", "0")
    assert len({contexts("--seed", str(seed)) for seed in range(6)}) > 1


def test_a_design_of_one_speaker_is_also_measured_with_all(command):
    done = command(
        *EVAL, "--json", "--no-answers", "--no-references", "--set", "storage.units={op: turns, roles: [user]}"
    )
    assert [row["label"] for row in done.json["rows"]] == ["words", "words, all speakers"]
    assert [row["kind"] for row in done.json["rows"]] == ["design", "all speakers"]
    only, everybody = done.json["rows"]
    assert only["hash"] != everybody["hash"]
    assert only["report"]["mean_context_tokens"] < everybody["report"]["mean_context_tokens"]


def test_results_file(command):
    done = command(*EVAL, "--out", "results.jsonl")
    assert done.err.endswith("results.jsonl: 3 lines\n")
    lines = [json.loads(line) for line in Path("results.jsonl").read_text().splitlines()]
    assert [line["question_id"] for line in lines] == ["q1", "q2", "q3"]
    assert {line["design"] for line in lines} == {"words"}
    assert all(line["context_tokens"] > 0 and line["units"] for line in lines)
    assert lines[1]["evidence"] == [{"record": "m4", "present": True}]
    assert not {"gold", "answer_gold", "alternatives", "answerable"} & {key for line in lines for key in line}


def test_unmeasured_answers_are_counted_and_named(command):
    write_lines("open.jsonl", [{**QUESTIONS[0], "answer": "it leaves in the early morning, before we have eaten"}])
    done = command(*EVAL[:-1], "open.jsonl")
    assert "accuracy is measured on 0 of 1 questions; the answers to the others need a judge (history/q1)" in done.out
    assert "- (0)" in done.out


def test_the_same_question_under_as_of(command):
    early = {**QUESTIONS[1], "id": "early", "as_of": "2025-03-05"}
    write_lines("early.jsonl", [early])
    arguments = (*EVAL[:-1], "early.jsonl", "--json", "--no-answers")
    assert mean(rows(command(*arguments))["words"], "evidence_coverage") == 1.0
    assert mean(rows(command(*arguments, "--history-view", "as_of"))["words"], "evidence_coverage") == 0.0


def test_filters(command):
    assert command(*EVAL, "--json", "--where", "type=fact,count").json["setting"]["questions"] == 2
    done = command(*EVAL, "--where", "type=fcat")
    assert done.status == 2
    assert "no question has type 'fcat'; did you mean fact?" in done.err


def test_filters_that_leave_nothing(command):
    done = command(*EVAL, "--where", "type=fact", "--where", "answerable=false")
    assert done.status == 4
    assert "no question is left to ask: loosen --where" in done.err


def test_nothing_that_can_be_measured(command):
    write_lines("bare.jsonl", [{"id": "b", "question": "Who?", "answer": True}])
    done = command(*EVAL[:-1], "bare.jsonl", "--no-answers")
    assert done.status == 4
    assert "nothing could be measured" in done.err


def test_an_empty_history_is_said_and_measured(command):
    write_lines("empty.jsonl", [])
    done = command("eval", "design.yaml", "--history", "empty.jsonl", "--questions", "questions.jsonl")
    assert done.status == 0
    assert "empty: the history is empty: 1 (empty.jsonl)" in done.err
    assert "empty: evidence that the history does not hold: 2" in done.err


def test_two_designs_of_one_name_are_told_apart(command):
    Path("b.yaml").write_text(Path("design.yaml").read_text().replace("k: 20", "k: 2"), encoding="utf-8")
    labels = [row["label"] for row in command(*EVAL, "b.yaml", "--json", "--no-references").json["rows"]]
    assert len(set(labels)) == 2
    assert all(label.startswith("words ") for label in labels)


def test_the_same_design_twice_is_told_apart_and_said_to_be_the_same(command):
    done = command(*EVAL, "design.yaml", "--no-references", "--no-answers")
    (line,) = [line for line in done.out.splitlines() if "is the same design as" in line]
    first, second = line.split(" is the same design as ")[::-1]
    assert second == f"{first} (2)"
    assert first.startswith("words ")


def test_a_folder_of_generated_questions_is_told_to_be_one(command):
    Path("made").mkdir()
    Path("made/train.jsonl").write_text(Path("questions.jsonl").read_text(), encoding="utf-8")
    done = command(*EVAL[:-1], "made")
    assert done.status == 2
    assert done.err == "made: is a folder of generated questions; name one of its files: made/train.jsonl\n"


def test_the_problems_of_all_designs_are_told_before_anything_is_measured(command):
    for name in ("x.yaml", "y.yaml"):
        Path(name).write_text("version: 1\nretrieval: [{op: bm26}]\n", encoding="utf-8")
    done = command("eval", "x.yaml", "y.yaml", "--history", "history.jsonl", "--out", "r.jsonl")
    assert done.status == 2
    assert "x.yaml:2:" in done.err
    assert "y.yaml:2:" in done.err
    assert not Path("r.jsonl").exists()


@pytest.mark.parametrize(
    ("out", "status", "said"),
    [
        ("folder", 2, "folder: is a folder; name a file in it"),
        ("no/r.jsonl", 2, "no: there is no such folder; make it first"),
        ("design.yaml/r.jsonl", 2, "design.yaml: is no folder"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(out, status, said, command):
    Path("folder").mkdir()
    done = command(*EVAL, "--out", out)
    assert done.status == status
    assert said in done.err
    assert done.out == ""


def test_a_disk_that_fills_up_leaves_the_older_results(command, monkeypatch):
    Path("r.jsonl").write_text("before\n")

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("designsearch.runtime.cache.write_whole", full)
    done = command(*EVAL, "--out", "r.jsonl")
    assert done.status == 4
    assert done.err.endswith("r.jsonl: cannot be written: no space left on device\n")
    assert Path("r.jsonl").read_text() == "before\n"


def test_histories_of_one_name(command, world):
    (world / "more").mkdir()
    write_lines("more/history.jsonl", [{"id": "z", "text": "z"}])
    done = command(*EVAL, "--history", "more/history.jsonl")
    assert done.status == 2
    assert "several histories are called history" in done.err
