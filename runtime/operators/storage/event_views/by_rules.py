"""The three views of events, by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.operators.storage.event_views.anchors import anchors
from designsearch.runtime.operators.storage.event_views.phrase import key_phrases, labels
from designsearch.runtime.operators.storage.event_views.sentences import read_events
from designsearch.runtime.operators.storage.event_views.summary import summaries
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.records import History

PHRASES = 5
"""Phrases that label an event."""


@dataclass(frozen=True, slots=True)
class EventViews:
    """What an event is searched by beside its own text.

    Attributes:
        summary: what happens in it, in a few sentences.
        anchors: questions that it answers, one a line.
        phrase: a label of a few words.
    """

    summary: str
    anchors: str
    phrase: str


def views_by_rules(history: History, groups: Sequence[Sequence[int]], words: int, most: int) -> list[EventViews]:
    """The views of events, given by the rows of their records; the bundled embedder tells what is central.

    Args:
        history: the history.
        groups: the rows of each event.
        words: the most words of a summary.
        most: the most questions.
    """
    embedder = StaticEmbedder()
    read = read_events(history, groups, embedder)
    phrases = key_phrases(read, len(groups), max(PHRASES, most), embedder)
    asked = anchors(read, phrases, most)
    told = summaries(read, len(groups), words)
    named = labels(read, [own[:PHRASES] for own in phrases])
    return [EventViews(s, JOIN.join(a), p) for s, a, p in zip(told, asked, named, strict=True)]
