"""The sentences of events, and how central each one is to its event.

Only the event itself is looked at, never the rest of the history: what is made of an event changes with it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.offline.dates import local_day
from designsearch.runtime.models.offline.sentences import sentences_of
from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, words_of
from designsearch.runtime.records import FloatArray, History, IntArray

LONGEST_TEXT = 20_000
"""Characters of a record that are read; what follows reads each closely, and a record may be a whole book."""

_END = re.compile(r"[.!?…][\"”’)]*\s+|[。！？]|\n\s*")
_ABBREVIATION = re.compile(r"\b(?:dr|mr|mrs|ms|prof|st|e\.g|i\.e|vs|no)\.\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an event.

    Attributes:
        event: number of its event.
        text: its words, untouched.
        who: author of its record, else the role; may be empty.
        other: the one other who speaks in the event; empty where nobody does, or several.
        day: when it was written; ``None`` where unknown.
        telling: how many of its words have content.
    """

    event: int
    text: str
    who: str
    other: str
    day: date | None
    telling: int

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip('"”’) ').endswith(("?", "？"))


@dataclass(frozen=True)
class Read:
    """Events, read.

    Attributes:
        sentences: of all events, one event after another, each in its own order.
        owners: shape (sentences,): the event of each.
        centers: shape (events, dimensions): the mean direction of what an event says; zero where it says nothing.
        centrality: shape (sentences,): cosine between a sentence and its event, less where few of its words
            have content, and halved where it asks.
    """

    sentences: Sequence[Sentence]
    owners: IntArray
    centers: NDArray[np.float32]
    centrality: FloatArray


def read_events(history: History, groups: Sequence[Sequence[int]], embedder: StaticEmbedder) -> Read:
    """The sentences of events, given by the rows of their records."""
    sentences = [s for number, rows in enumerate(groups) for s in _sentences(history, number, rows)]
    owners = np.fromiter((s.event for s in sentences), np.int64, len(sentences))
    vectors = embedder.embed([s.text for s in sentences])
    telling = np.fromiter((s.telling for s in sentences), np.float64, len(sentences))
    centers = np.zeros((len(groups), embedder.dimensions), np.float32)
    spoken, begins = np.unique(owners, return_index=True)
    if len(spoken):
        sums = np.add.reduceat(vectors * np.sqrt(telling, dtype=np.float32)[:, None], begins, axis=0)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        centers[spoken] = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
    cosines = np.einsum("ij,ij->i", vectors, centers[owners]).astype(np.float64)
    asks = np.fromiter((s.asks for s in sentences), bool, len(sentences))
    return Read(sentences, owners, centers, cosines * telling / (telling + 2) * np.where(asks, 0.5, 1.0))


def _sentences(history: History, number: int, rows: Sequence[int]) -> Iterator[Sentence]:
    who = {row: history.authors[row] or history.roles[row] for row in rows}
    voices = set(who.values()) - {""}
    for row in rows:
        day = local_day(int(history.times[row]))
        others = voices - {who[row]}
        other = next(iter(others)) if len(others) == 1 else ""
        for text in sentences_of(history.texts[row][:LONGEST_TEXT], _END, _ABBREVIATION):
            if any(c.isalnum() for c in text):
                telling = sum(w not in STOP and w not in INTERJECTIONS for w in words_of(text))
                yield Sentence(number, text, who[row], other, day, telling)


def best_first(owners: IntArray, scores: FloatArray) -> tuple[IntArray, IntArray]:
    """Things by event and falling score, ties in their own order.

    Args:
        owners: shape (things,): the event of each, not falling.
        scores: shape (things,).

    Returns:
        Their order, shape (things,), and the 0-based rank within its event of each in that order.
    """
    order = np.lexsort((np.arange(len(owners)), -scores, owners)).astype(np.int64)
    _, begins, sizes = np.unique(owners, return_index=True, return_counts=True)
    return order, np.arange(len(owners)) - np.repeat(begins, sizes)
