from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_records_and_words_change_nothing():
    plain = {"record": "Lisbon."}
    assert_harmless("supervise/direct", plain, plain | {"record": HOSTILE})
