"""Designs scored on two sets of questions by ``eval --against``."""

from pathlib import Path

import pytest
from small_world import QUESTIONS, write_lines

EVAL = ("eval", "design.yaml", "one.yaml", "--history", "history.jsonl", "--questions", "questions.jsonl")
FAST = ("--no-references", "--no-answers")


@pytest.fixture
def designs(world):
    """Beside the design one that shows nearly nothing, and one of the newest records."""
    text = Path("design.yaml").read_text(encoding="utf-8")
    Path("one.yaml").write_text(text.replace("name: words", "name: one").replace("k: 20", "k: 1"), encoding="utf-8")
    newest = text.replace("name: words", "name: newest").replace("bm25, k: 50", "recent, k: 2").replace("k: 20", "k: 1")
    Path("newest.yaml").write_text(newest, encoding="utf-8")


def question(number, text, *records):
    return {"id": f"g{number}", "question": text, "answer": "x", "evidence": [{"record": r} for r in records]}


def generated(folder):
    Path(folder).mkdir(parents=True)
    write_lines(f"{folder}/train.jsonl", [question(1, "What is the dog called?", "m3")])
    write_lines(
        f"{folder}/locked.jsonl",
        [
            question(2, "What of Miso, the dog, and of the ferry?", "m1", "m3"),
            question(3, "What costs 840 euros?", "m5"),
        ],
    )


def test_a_folder_of_generated_questions(command, designs, golden):
    generated("made")
    done = command(*EVAL, "newest.yaml", *FAST, "--against", "made")
    assert done.status == 0
    golden("eval_against", done.out, timed=True)


def test_json(command, designs):
    generated("made")
    found = command(*EVAL, "newest.yaml", *FAST, "--against", "made", "--json").json["against"]
    assert found["source"] == "made"
    assert found["questions"] == 3
    assert found["designs"]["words"] == {"coverage": 1.0, "against": 1.0}
    assert found["designs"]["newest"] == {"coverage": 0.0, "against": pytest.approx(1 / 3)}
    assert found["designs"]["one"] == {"coverage": 1.0, "against": pytest.approx(2 / 3)}
    # words and one are tied in the first set: tau-b = 2 / sqrt(2 * 3)
    assert found["agreement"]["designs"] == 3
    assert found["agreement"]["kendall"] == pytest.approx(2 / 6**0.5)


def test_a_folder_of_its_own_for_each_history(command, designs):
    generated("made/history")
    assert command(*EVAL, *FAST, "--against", "made", "--json").json["against"]["questions"] == 3


def test_a_file(command, designs):
    write_lines("other.jsonl", QUESTIONS)
    found = command(*EVAL, *FAST, "--against", "other.jsonl", "--json").json["against"]
    assert found["questions"] == 2
    assert found["agreement"]["kendall"] is None
    assert "cannot be said: on one of them all are equal" in command(*EVAL, *FAST, "--against", "other.jsonl").out


def test_only_the_designs_as_given_are_compared(command, designs):
    own = ("--set", "storage.units={op: turns, roles: [user]}")
    found = command(*EVAL, *own, "--no-answers", "--against", "questions.jsonl", "--json").json["against"]
    assert list(found["designs"]) == ["words", "one"]


def test_without_it_nothing_is_said(command):
    assert "against" not in command("eval", "design.yaml", *EVAL[3:], *FAST, "--json").json


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eval", "design.yaml", *EVAL[3:], "--against", "questions.jsonl"), "name two or more"),
        ((*EVAL, "--against", "nowhere.jsonl"), "nowhere.jsonl"),
        ((*EVAL, "--against", "empty"), "empty: no question there has evidence in these histories"),
        ((*EVAL, "--where", "answerable=false", "--against", "questions.jsonl"), "no question of --questions"),
    ],
)
def test_mistakes(command, designs, arguments, said):
    Path("empty").mkdir()
    done = command(*arguments)
    assert done.status == 2
    assert said in done.err
    assert "Traceback" not in done.err
