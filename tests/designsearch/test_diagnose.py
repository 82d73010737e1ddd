from pathlib import Path

DIAGNOSE = ("diagnose", "design.yaml", "--history", "history.jsonl", "--questions", "questions.jsonl")


def test_nothing_fails(command):
    assert command(*DIAGNOSE).out == "0 of 2 questions failed\n"


def test_a_cut_record(command, golden):
    done = command(*DIAGNOSE, "--set", "retrieval[1].k=1", "--set", "retrieval[0].k1=0", "--context-budget", "10")
    assert done.status == 0
    golden("diagnose_cut", done.out)


def test_a_record_that_is_not_stored(command):
    done = command(*DIAGNOSE, "--json", "--set", "storage.units={op: turns, roles: [assistant]}")
    assert done.json["measured"] == 2
    assert {(f["question_id"], f["category"], f["kind"]) for f in done.json["failures"]} == {
        ("q1", "storage", "not_stored"),
        ("q2", "storage", "not_stored"),
    }


def test_counterfactual_repairs(command):
    text = Path("design.yaml").read_text().replace("k: 20", "k: 1")
    Path("one.yaml").write_text(text, encoding="utf-8")
    done = command("diagnose", "one.yaml", *DIAGNOSE[2:], "--json", "--counterfactual", "--context-budget", "5")
    assert done.json["objective"] == "accuracy"
    repaired = {one["question_id"]: one for one in done.json["repairs"]}
    # nothing fits into five tokens: only the evidence put there regardless of the budget answers
    assert repaired["q2"]["evidence_first"] is False
    assert set(repaired["q2"]) == {"history", "question_id", "evidence_first", "evidence_added", "evidence_alone"}
    shown = command("diagnose", "one.yaml", *DIAGNOSE[2:], "--counterfactual", "--context-budget", "5").out
    assert "the answer turns right with" in shown


def test_nothing_to_diagnose(command):
    done = command(*DIAGNOSE, "--where", "answerable=false")
    assert done.status == 4
    assert "evidence_coverage was measured on no question" in done.err
