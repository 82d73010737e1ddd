from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless


def test_hostile_records_and_words_change_nothing():
    plain = {
        "records": ["Lisbon.", "Lisbon."],
        "asker": "Lisbon.",
        "theme": "Lisbon.",
        "style": "plain",
        "length": "short",
    }
    assert_harmless(
        "supervise/corpus", plain, plain | {"records": [HOSTILE, HOSTILE], "asker": HOSTILE, "theme": HOSTILE}
    )
