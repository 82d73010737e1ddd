"""Events as sentences, with what each is worth to its event."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from runtime_fakes import history_of

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.operators.storage.event_views.sentences import LONGEST_TEXT, best_first, read_events


def read(entries, groups=None):
    history = history_of(entries)
    return read_events(history, groups or [list(range(len(history)))], StaticEmbedder())


def test_each_sentence_knows_who_when_and_how_much_it_says():
    found = read(
        [
            {"text": "I saw Dr. Li. Did you?\n- a kayak", "author": "Ana", "time": "2024-05-06T09:00"},
            {"text": "No...", "role": "assistant"},
        ]
    ).sentences
    assert [s.text for s in found] == ["I saw Dr. Li.", "Did you?", "- a kayak", "No..."]
    assert [s.who for s in found] == ["Ana", "Ana", "Ana", "assistant"]
    assert [s.other for s in found] == ["assistant", "assistant", "assistant", "Ana"]
    assert [s.day for s in found] == [date(2024, 5, 6)] * 3 + [None]
    assert [s.telling for s in found] == [3, 0, 1, 0]
    assert [s.asks for s in found] == [False, True, False, False]


def test_of_three_who_speak_nobody_is_the_other():
    entries = [{"text": "Tea.", "author": who} for who in ("Ana", "Ben", "Cleo")]
    assert [s.other for s in read(entries).sentences] == ["", "", ""]


def test_an_event_without_sentences_has_no_center():
    made = read(["red kayak", " ... ", "blue kayak"], [[0], [1], [2]])
    assert made.owners.tolist() == [0, 2]
    assert np.linalg.norm(made.centers, axis=1) == pytest.approx([1, 0, 1], abs=1e-6)


def test_what_the_event_is_about_is_central_and_questions_are_less():
    made = read(["We paddled the kayak down the river.", "The river was wild in the kayak.", "I like tax forms."])
    assert made.centrality.argmin() == 2
    said, asked = read(["The red kayak is new.", "The red kayak is new?"]).centrality
    assert asked == pytest.approx(said / 2)


def test_an_event_is_read_as_if_it_were_alone():
    entries = ["red kayak on the river.", "tram ticket to Berlin.", "The cat sleeps."]
    alone = read(entries[1:2])
    among = read(entries, [[0], [1], [2]])
    assert among.centrality[1] == alone.centrality[0]
    assert np.array_equal(among.centers[1], alone.centers[0])


def test_a_book_is_read_from_its_beginning():
    found = read(["word " * LONGEST_TEXT]).sentences
    assert 0 < sum(len(s.text) for s in found) <= LONGEST_TEXT


def test_nothing_at_all():
    assert read([], []).centrality.tolist() == []
    order, ranks = best_first(np.zeros(0, np.int64), np.zeros(0))
    assert order.tolist() == ranks.tolist() == []


def test_best_first_within_each_event_ties_in_their_order():
    order, ranks = best_first(np.array([0, 0, 0, 2, 2]), np.array([0.1, 0.5, 0.5, 0.2, 0.9]))
    assert order.tolist() == [1, 2, 0, 4, 3]
    assert ranks.tolist() == [0, 1, 2, 0, 1]
