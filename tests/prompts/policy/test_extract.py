from __future__ import annotations

from types import SimpleNamespace

import pytest
from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

EVENT = SimpleNamespace(id="E4", text="time: 2024-05-01\nturn 1: Ann: We ate in Lisbon.")
PLAIN = {
    "question": "Where did we eat?",
    "notes": [EVENT],
    "events": [EVENT],
    "as_of": "2024-05-09",
    "instructions": "",
    "can_skip": True,
    "rule": "append",
}


def test_hostile_questions_notes_and_events_change_nothing():
    bad = SimpleNamespace(id="E4", text=HOSTILE)
    assert_harmless("policy/extract", PLAIN, PLAIN | {"question": HOSTILE, "notes": [bad], "events": [bad]})


def test_what_was_found_is_told_with_its_ids():
    _, (_, text) = prompt("policy/extract").render(**PLAIN)
    assert "The search found:\nEvent E4:\n<event key=" in text
    assert "1. Event E4:\n<note key=" in text
    assert "turn 1: Ann: We ate in Lisbon." in text


@pytest.mark.parametrize("can_skip", [True, False])
def test_only_what_can_be_called_is_named(can_skip):
    (_, system), _ = prompt("policy/extract").render(**PLAIN | {"can_skip": can_skip})
    assert "add_note" in system
    assert ("skip_extraction" in system) is can_skip


@pytest.mark.parametrize(
    ("rule", "said"), [("append", ""), ("update", "about an event that has notes"), ("overwrite", "all your notes")]
)
def test_what_becomes_of_earlier_notes_is_told(rule, said):
    (_, system), _ = prompt("policy/extract").render(**PLAIN | {"rule": rule})
    assert said in system
    assert ("replaces" in system) is (rule != "append")


def test_instructions_stand_at_the_end_of_what_it_is_to_do():
    (_, plain), (_, same) = prompt("policy/extract").render(**PLAIN)
    (_, system), (_, user) = prompt("policy/extract").render(**PLAIN | {"instructions": "Note {{ prices }} alone."})
    assert "\n\nNote {{ prices }} alone.\n\n" in system
    assert system.replace("\n\nNote {{ prices }} alone.", "") == plain
    assert user == same
