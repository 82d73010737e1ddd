"""Words of a statement that its quotes do not say."""

from __future__ import annotations

import pytest

from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.review.fact_words import unsaid
from designsearch.search.supervision.review.quoted import Quoted

SOFT = SoftWords()
TEXT = "Ulla bought a blue bicycle from Otto for 120 euros before breakfast, on 9 May, with the Canon 90D."


def strange(statement: str, text: str = TEXT, names: tuple[str, ...] = ()) -> str:
    return unsaid(statement, names, Quoted((Source("r", 0, text, "", "Pia"),), ((text, ""),)), SOFT)


@pytest.mark.parametrize(
    "statement",
    [
        TEXT,
        "Ulla purchased a blue bike from Otto.",
        "Pia mentioned that Ulla was buying bicycles along with a Canon 90D.",
        "The user talked about breakfast on May 9th.",
        "120 euros for the bicycle",
        "Ulla may well have bought a bicycle, as well as she could.",
        "Otto's bicycle, said the keeper, was blue.",
        "",
    ],
)
def test_the_same_and_other_words_for_it_are_said(statement):
    assert strange(statement) == ""


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("Ulla bought a blue kayak from Otto.", "kayak"),
        ("Ulla repaired a blue bicycle from Otto.", "repaired"),
        ("Ulla sold a blue bicycle from Otto.", "sold"),
        ("Ulla bought a red bicycle from Otto.", "red"),
        ("Ulla bought a blue bicycle from Otto after breakfast.", "after breakfast"),
        ("Ulla bought a blue bicycle to Otto.", "to otto"),
        ("Ulla bought a blue bicycle and a bike from Otto, which pleased her.", "bike"),
        ("Ulla bought a Canon 80D.", "80d"),
        ("Ulla bought a well from Otto.", "well"),
    ],
)
def test_a_word_that_is_another_is_found(statement, word):
    assert strange(statement) == word


def test_a_verb_may_say_less_and_not_more():
    assert strange("The keeper went to Tollin.", "Rowed to Tollin.") == ""
    assert strange("The keeper rowed to Tollin.", "Went to Tollin.") == "rowed"


def test_a_name_may_stand_around_the_quote_and_another_word_may_not():
    around = Source("r", 0, "Bertil laughed. He brought a cheese.", "", "Pia")
    quoted = Quoted((around,), (("He brought a cheese.", ""),))
    assert unsaid("Bertil brought a cheese.", ["bertil"], quoted, SOFT) == ""
    assert unsaid("Bertil brought a cheese.", [], quoted, SOFT) == "bertil"
    assert unsaid("He laughed at a cheese.", [], quoted, SOFT) == "laughed"


def test_the_opposite_on_both_sides_is_no_fault():
    text = "We left before lunch and came back after lunch."
    assert strange("They left before lunch.", text) == ""
    assert strange("They left after dinner.", text) == "dinner"
