from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_a_hostile_message_changes_nothing():
    assert_harmless("memory/note", {"message": "Ana: I moved."}, {"message": HOSTILE})
