from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_records_and_words_change_nothing():
    plain = {"plan": "Lisbon.", "problems": "Lisbon."}
    assert_harmless("supervise/plan_repair", plain, plain | {"plan": HOSTILE, "problems": HOSTILE})
