"""Summaries are the central sentences, in order and within their length."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from runtime_fakes import history_of

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.offline.words import WORD
from designsearch.runtime.operators.storage.event_views.sentences import read_events
from designsearch.runtime.operators.storage.event_views.summary import summaries

TALK = [
    "We paddled the red kayak down the river.",
    "My aunt collects stamps.",
    "The river was high and the kayak was fast.",
    "A kayak on the river is the best way to spend a summer.",
]


def summed(entries, groups, words):
    return summaries(read_events(history_of(entries), groups, StaticEmbedder()), len(groups), words)


def test_central_sentences_in_the_order_in_which_they_were_said():
    (made,) = summed(TALK, [[0, 1, 2, 3]], 30)
    assert made == f"{TALK[0]} {TALK[2]} {TALK[3]}"


def test_one_sentence_stands_even_where_it_is_too_long():
    (made,) = summed(TALK, [[0, 1, 2, 3]], 5)
    assert made in TALK
    assert made != TALK[1]


def test_relative_dates_have_their_day_behind_them():
    entries = [{"text": "I sold it yesterday, not on 3 May 2024.", "time": "2024-05-06T10:00"}]
    assert summed(entries, [[0]], 60) == ["I sold it yesterday (2024-05-05), not on 3 May 2024."]
    assert summed(["I sold it yesterday."], [[0]], 60) == ["I sold it yesterday."]


def test_what_is_said_twice_stands_once_and_a_blank_event_is_empty():
    assert summed(["Red kayak.", "Red kayak.", " "], [[0, 1], [2]], 60) == ["Red kayak.", ""]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab .?!I\n我"), max_size=40), min_size=1, max_size=6), st.integers(5, 20))
def test_any_text_makes_a_summary_of_its_own_sentences(texts, words):
    groups = [[row] for row in range(len(texts))]
    read = read_events(history_of(texts), groups, StaticEmbedder())
    for event, made in enumerate(summaries(read, len(groups), words)):
        own = [s.text for s in read.sentences if s.event == event]
        assert bool(made) == bool(own)
        assert len(WORD.findall(made)) <= max([words, *(len(WORD.findall(text)) for text in own)])
