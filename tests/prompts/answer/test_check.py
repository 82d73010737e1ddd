from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_memories_questions_and_drafts_change_nothing():
    plain = {"question": "Where?", "context": "Lisbon.", "draft": "Lisbon", "as_of": "2024-05-01"}
    assert_harmless("answer/check", plain, plain | dict.fromkeys(("question", "context", "draft"), HOSTILE))
