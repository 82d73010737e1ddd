from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_a_hostile_text_changes_nothing():
    assert_harmless("memory/questions", {"text": "Ana: I moved.", "count": 5}, {"text": HOSTILE, "count": 5})
