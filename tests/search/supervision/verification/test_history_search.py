"""The search of a whole history for records that could answer a question."""

from __future__ import annotations

import numpy as np
import pytest

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import Record
from designsearch.search.supervision.verification.history_search import HistorySearch

TEXTS = ("A kitten came to live with us.", "Bought a bicycle.", "Bicycle sold again.", "", "The cat sleeps all day.")


@pytest.fixture(scope="module")
def search() -> HistorySearch:
    records = [Record(f"r{i}", text, time=f"2024-0{i + 1}-01T10:00") for i, text in enumerate(TEXTS)]
    return HistorySearch(fold(records, "small"))


def test_the_closest_records_come_first_by_words_and_by_meaning(search):
    (found,) = search.closest(["Who sold the bicycle?"], [frozenset()], 2)
    assert found == [2, 1]
    (near,) = search.closest(["Where is the kitten?"], [frozenset()], 2)
    assert near == [0, 4]


def test_what_is_excluded_or_not_allowed_or_too_late_is_not_found(search):
    question = ["Who sold the bicycle?"]
    assert search.closest(question, [frozenset({2})], 1) == [[1]]
    allowed = np.array([True, False, False, True, True])
    assert not {1, 2} & set(search.closest(question, [frozenset()], 5, allowed)[0])
    assert search.closest(question, [frozenset()], 5, as_of=["2024-02-15"])[0][0] == 1
    assert 2 not in search.closest(question, [frozenset()], 5, as_of=["2024-02-15"])[0]
    assert 2 in search.closest(question, [frozenset()], 5, as_of=["2024-03-01"])[0]


def test_a_question_finds_the_same_alone_and_among_others(search):
    questions = [f"Who sold bicycle number {i}?" for i in range(130)]
    together = search.closest(questions, [frozenset()] * 130, 3)
    assert together[::40] == [search.closest([q], [frozenset()], 3)[0] for q in questions[::40]]


def test_empty_texts_and_odd_questions_find_nothing_wrong(search):
    assert search.closest(["", "🙂", "\u202eשלום"], [frozenset({99})] * 3, 3) is not None
    assert 3 not in search.closest(["bicycle"], [frozenset()], 5)[0]
    assert search.closest(["bicycle"], [frozenset()], 0) == [[]]
    assert search.closest([], [], 3) == []


def test_an_empty_history_has_nothing():
    assert HistorySearch(fold([], "none")).closest(["bicycle"], [frozenset()], 3) == [[]]
