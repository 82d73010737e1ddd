from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_memories_and_questions_change_nothing():
    plain = {"question": "Where?", "context": "Lisbon.", "as_of": "2024-05-01"}
    assert_harmless("answer/answer", plain, plain | {"question": HOSTILE, "context": HOSTILE})
