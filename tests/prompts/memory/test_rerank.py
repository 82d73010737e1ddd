from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

PLAIN = {"question": "Where did we eat?", "as_of": "2024-05-01", "candidates": ["At home.", "In Lisbon."], "best": 10}


def test_hostile_candidates_and_questions_change_nothing():
    assert_harmless("memory/rerank", PLAIN, PLAIN | {"question": HOSTILE, "candidates": [HOSTILE, "In Lisbon."]})


def test_candidates_are_numbered_from_one():
    _, (_, text) = prompt("memory/rerank").render(**PLAIN)
    assert text.index("Memory 1:") < text.index("At home.") < text.index("Memory 2:") < text.index("In Lisbon.")
