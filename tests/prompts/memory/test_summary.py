from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_parts_change_nothing():
    plain = {"messages": ["Ana: I moved.", "Ben: Where?"], "words": 60}
    assert_harmless("memory/summary", plain, plain | {"messages": [HOSTILE, HOSTILE]})
