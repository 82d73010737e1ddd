from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_questions_and_answers_change_nothing():
    plain = {"question": "Where?", "golds": ["Lisbon", "Lisboa"], "answer": "In Lisbon."}
    assert_harmless("judge/judge", plain, {"question": HOSTILE, "golds": [HOSTILE, HOSTILE], "answer": HOSTILE})


def test_every_gold_answer_is_quoted():
    messages = prompt("judge/judge").render(question="Where?", golds=["Lisbon", "Lisboa"], answer="Porto")
    assert messages[-1][1].count("<right_answer key=") == 2
