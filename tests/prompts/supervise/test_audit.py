from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt


def test_hostile_records_and_words_change_nothing():
    plain = {
        "records": ["Lisbon.", "Lisbon."],
        "plan": "Lisbon.",
        "question": "Lisbon.",
        "answerable": True,
        "as_of": "2024-05-01",
    }
    assert_harmless(
        "supervise/audit", plain, plain | {"records": [HOSTILE, HOSTILE], "plan": HOSTILE, "question": HOSTILE}
    )


def test_a_question_without_an_answer_is_audited_as_one():
    plain = {"records": ["a"], "plan": "{}", "question": "Where?", "as_of": ""}
    assert "This plan has no answer" in prompt("supervise/audit").render(**plain, answerable=False)[0][1]
    assert "This plan has no answer" not in prompt("supervise/audit").render(**plain, answerable=True)[0][1]
