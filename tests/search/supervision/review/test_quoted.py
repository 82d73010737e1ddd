"""Quotes in the sentences that they stand in."""

from __future__ import annotations

import pytest
from plan_makers import material, source

from designsearch.search.supervision.plans import Citation, Fact
from designsearch.search.supervision.review.quoted import Quoted

TEXT = 'It rained. "We bought a bicycle!" Otto said so\nand left. The end'


def quoted(quote: str, text: str = TEXT, shift: int = 0) -> Quoted:
    start = text.index(quote) + shift
    fact = Fact("f1", "x", (Citation("r", start, start + len(quote), quote),))
    return Quoted.of(fact, material(source("r", text, "2024-03-05T10:00", "Ulla Berg")))


@pytest.mark.parametrize(
    ("quote", "sentence"),
    [
        ("rained", "It rained."),
        ("It rained.", "It rained."),
        ("bicycle", '"We bought a bicycle!"'),
        ('bicycle!" Otto', '"We bought a bicycle!" Otto said so'),
        ("left", "and left."),
        ("The end", "The end"),
    ],
)
def test_a_quote_is_widened_to_its_sentences(quote, sentence):
    assert quoted(quote).sentences == ((sentence, "2024-03-05T10:00"),)


def test_a_quote_beside_its_place_is_left_as_it_is():
    assert quoted("bicycle", shift=2).sentences == (("bicycle", "2024-03-05T10:00"),)


def test_the_author_is_known_and_so_are_the_words_around():
    found = quoted("rained")
    assert found.words == ("it", "rained", "ulla", "berg")
    assert "otto" in found.around
    assert "ulla" not in found.around


def test_a_record_that_is_not_in_the_bundle_says_nothing():
    fact = Fact("f1", "x", (Citation("elsewhere", 0, 1, "x"),))
    assert Quoted.of(fact, material()) == Quoted((), ())
