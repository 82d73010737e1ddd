from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_records_and_words_change_nothing():
    plain = {"records": ["Lisbon.", "Lisbon."]}
    assert_harmless("supervise/updated", plain, plain | {"records": [HOSTILE, HOSTILE]})
