"""Opposites, and words that may stand for others."""

from __future__ import annotations

from designsearch.runtime.models.offline.words import STOP, stems_of
from designsearch.search.supervision.review.word_pairs import meanings, opposite_function_words, opposites


def test_opposites_go_both_ways_and_know_forms_of_words():
    bought, sold = stems_of(["bought", "selling"])
    assert sold in opposites()[bought]
    assert bought in opposites()[sold]
    assert all(word not in others for word, others in opposites().items())


def test_function_words_with_an_opposite_carry_no_content_otherwise():
    assert opposite_function_words()["before"] == {"after"}
    assert opposite_function_words()["none"] == {"all"}
    unknown = set(opposite_function_words()) - STOP
    assert unknown <= {"since", "less", "fewer", "least", "fewest", "many", "none", "inside", "outside"}


def test_the_narrower_stands_for_the_broader_and_not_the_other_way_round():
    go, row, repair, mend = stems_of(["went", "rowed", "repaired", "mends"])
    assert row in meanings()[go]
    assert row not in meanings()
    assert mend in meanings()[repair]
    assert repair in meanings()[mend]


def test_nothing_means_its_own_opposite():
    for word, others in meanings().items():
        assert not others & opposites().get(word, frozenset()), word
