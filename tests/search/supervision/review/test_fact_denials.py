"""Statements and quotes that disagree on whether something is so."""

from __future__ import annotations

import pytest

from designsearch.search.supervision.review.fact_denials import contradicts


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Ulla bought a bicycle.", "Ulla never bought a bicycle."),
        ("Ulla bought a bicycle.", "I didn’t buy the bicycle, it was too dear."),
        ("Ulla bought a bicycle.", "It rained, but I bought no bicycle."),
        ("Ulla mentioned that she bought a bicycle.", "I have not bought a bicycle."),
        ("Ulla never bought a bicycle.", "I bought a bicycle."),
        ("It is not true that Ulla bought a bicycle.", "I bought a bicycle."),
        ("Ulla did not buy the bicycle.", "I did not sleep, but bought the bicycle."),
        ("Otto came without a coat.", "Otto came with a coat."),
    ],
)
def test_one_denies_what_the_other_affirms(statement, quote):
    assert contradicts(statement, [quote])


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("Ulla bought a bicycle.", "I bought a bicycle."),
        ("Ulla bought a bicycle.", "I did not sleep, but bought the bicycle."),
        ("Ulla bought a bicycle.", "No, I bought a bicycle."),
        ("Ulla bought a bicycle.", "I can't believe I bought a bicycle!"),
        ("Ulla bought a bicycle.", "I bought not only a bicycle, but a boat."),
        ("Ulla never bought a bicycle.", "I didn't buy a bicycle."),
        ("Ulla spoke of a bicycle.", "I never bought a bicycle."),
        ("Ulla spoke of a not-so-great trip.", "It was a not-so-great trip."),
        ("It did not work.", "Did it work? Not at all."),
    ],
)
def test_both_say_the_same(statement, quote):
    assert not contradicts(statement, [quote])


def test_what_is_denied_in_one_quote_and_said_in_another_may_be_affirmed():
    assert not contradicts("Ulla bought a bicycle.", ["I did not buy a bicycle.", "Today I bought a bicycle."])
