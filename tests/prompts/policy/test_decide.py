from __future__ import annotations

from types import SimpleNamespace

import pytest
from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

NOTE = SimpleNamespace(id="E4", text="time: 2024-05-01\nnote: They ate in Lisbon.")
PLAIN = {
    "question": "Where did we eat?",
    "notes": [NOTE],
    "searches": ["dinner in May"],
    "as_of": "2024-05-09",
    "instructions": "",
    "step": 2,
    "steps": 8,
    "can_stop": True,
}


def test_hostile_questions_notes_and_searches_change_nothing():
    hostile = {"question": HOSTILE, "notes": [SimpleNamespace(id="E4", text=HOSTILE)], "searches": [HOSTILE]}
    assert_harmless("policy/decide", PLAIN, PLAIN | hostile)


def test_the_state_is_told_whole():
    _, (_, text) = prompt("policy/decide").render(**PLAIN)
    for part in ("asked on 2024-05-09", "Where did we eat?", "1. Event E4:", "ate in Lisbon", "dinner in May"):
        assert part in text
    assert text.endswith("This is step 2 of 8; in the last step there is no more searching.")
    _, (_, text) = prompt("policy/decide").render(**PLAIN | {"notes": [], "searches": [], "as_of": ""})
    assert "You have no notes yet." in text
    assert "searches so far" not in text
    assert "asked on" not in text


@pytest.mark.parametrize("can_stop", [True, False])
def test_only_what_can_be_called_is_named(can_stop):
    (_, system), _ = prompt("policy/decide").render(**PLAIN | {"can_stop": can_stop})
    assert "search_memory_units" in system
    assert ("answer_from_notes" in system) is can_stop


def test_instructions_stand_at_the_end_of_what_it_is_to_do():
    (_, plain), (_, same) = prompt("policy/decide").render(**PLAIN)
    (_, system), (_, user) = prompt("policy/decide").render(**PLAIN | {"instructions": "Note {{ prices }} alone."})
    assert "\n\nNote {{ prices }} alone.\n\n" in system
    assert system.replace("\n\nNote {{ prices }} alone.", "") == plain
    assert user == same
