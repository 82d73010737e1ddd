from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_proposals_and_problems_change_nothing():
    plain = {"proposal": '{"edits": []}', "problems": "there are no edits"}
    assert_harmless("propose/repair", plain, dict.fromkeys(plain, HOSTILE))
