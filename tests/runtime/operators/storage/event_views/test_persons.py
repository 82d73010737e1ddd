"""Pronouns become the names of those who speak."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.operators.storage.event_views.persons import told_by_others


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I sold my kayak", "Ana sold Ana's kayak"),
        ("I’ve seen you", "Ana has seen Ben"),
        ("Your boat and mine", "Ben's boat and Ana's"),
        ("my me-time, IIIrd", "Ana's me-time, IIIrd"),
        ("nothing here", "nothing here"),
    ],
)
def test_first_and_second_person(text, told):
    assert told_by_others(text, "Ana", "Ben") == told


def test_who_is_not_known_stays_as_it_is():
    assert told_by_others("I saw you", "", "Ben") == "I saw Ben"
    assert told_by_others("I saw you", "Ana", "") == "Ana saw you"


def test_a_name_is_no_pattern():
    assert told_by_others("I saw you", r"\1", "{0}") == r"\1 saw {0}"


@given(st.text())
def test_without_names_nothing_changes(text):
    assert told_by_others(text, "", "") == text
