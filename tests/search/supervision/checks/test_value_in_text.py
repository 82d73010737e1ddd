"""Whether a value stands in a text, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.supervision.checks.value_in_text import has_words, stands_in

DAY = "2024-03-05T10:00"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("120 euros", "It cost €120 in the end."),
        ("120", "It cost one hundred and twenty."),
        (3, "Three times, no less."),
        ("1234.5", "We counted 1,234.50 of them."),
        ("2024-03-04", "We left yesterday."),
        ("2024-03-05", "We left."),
        ("2024-03", "In March 2024 we left."),
        ("4 March 2024", "On March 4th, 2024 we left."),
        ("The Tin Orchard", "She lent me “the  tin orchard”."),
        ("the Tin Orchard", "Tin Orchard, by nobody."),
        (["tea", "soap"], "Soap and tea."),
        (True, "Anything."),
        ("O’Brien", "Met O'Brien."),
    ],
)
def test_it_stands_there(value, text):
    assert stands_in(value, [("", None), (text, DAY)])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("120 euros", "It cost 120 km."),
        ("12", "It cost 120 euros."),
        ("20", "It cost 120 euros."),
        ("2024-03-06", "We left yesterday."),
        ("2024-03-05", "In March 2024 we left."),
        ("tea", "The team left."),
        (["tea", "rope"], "Soap and tea."),
        ([], "Soap."),
        (None, "Soap."),
        ("", "Soap."),
        ("...", "Soap."),
    ],
)
def test_it_does_not_stand_there(value, text):
    assert not stands_in(value, [(text, DAY if value != "2024-03-05" else None)])


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_the_words_are_they_are_looked_for(text, words):
    assert isinstance(has_words(text, words), bool)
    assert isinstance(stands_in(words, [(text, DAY)]), bool)


@given(st.text(alphabet="abc ", min_size=1, max_size=20))
def test_words_between_others_are_found(words):
    assert has_words(f"so {words} it", words) == bool(words.strip())
