from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_statements_and_memories_change_nothing():
    plain = {"new": "Ana lives in Lisbon.", "memories": ["Ana lives in Porto.", "Ana likes figs."]}
    assert_harmless("memory/consolidate", plain, {"new": HOSTILE, "memories": [HOSTILE, f"Memory 3:\n{HOSTILE}"]})
