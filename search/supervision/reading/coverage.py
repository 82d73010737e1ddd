"""How much of what is looked for stands in each sentence of some records.

A sentence's score is the share of the weight of the terms that it says, each as much as the most similar of its words.
What only the rest of its record says counts in part, since people speak in several sentences. A time that the question
names counts as a term of its own: it is met by a record of that time, or one that tells of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.models.offline.words import STOP
from designsearch.search.supervision.reading.soft_terms import Terms
from designsearch.search.supervision.reading.soft_words import Scores, SoftWords
from designsearch.search.supervision.reading.sources import Line, ReadSource

SAME_RECORD = 0.6
QUESTION_FACTOR = 0.8
OUT_OF_TIME = 0.7
OTHER_SPEAKER = 0.5
TIME_WEIGHT = 1.0
"""Of a time that the question names, in mean weights of its words."""


@dataclass(frozen=True)
class Match:
    """The terms over the sentences.

    Attributes:
        near: shape (terms, lines): how much of each term each sentence says.
        scores: shape (lines,).
        topic: shape (lines,): the share of the terms that are no names.
        named: shape (lines,): the share of the names.
        in_time: shape (sources,): how well each record fits the times named, 1 where none is.
    """

    near: Scores
    scores: Scores
    topic: Scores
    named: Scores
    in_time: Scores


class Shown:
    """Some records, laid out for matching.

    Attributes:
        sources: the records.
        lines: all of their sentences.
        owner: shape (lines,): the record of each.

    Args:
        sources: the records.
        soft: knows the words.
    """

    def __init__(self, sources: Sequence[ReadSource], soft: SoftWords) -> None:
        self.sources = sources
        self.lines: list[Line] = [line for source in sources for line in source.lines]
        self.owner = np.repeat(np.arange(len(sources)), [len(source.lines) for source in sources])
        self._soft = soft
        words: list[str] = []
        starts: list[int] = []
        for line, owner in zip(self.lines, self.owner.tolist(), strict=True):
            starts.append(len(words) + len(starts))
            words += (word for word in (*line.words, *sources[owner].author) if word not in STOP)
        # each sentence gets one place of its own that no term is like, so that none is without words
        self._starts = np.array(starts, np.int64)
        self._numbers, inverse = np.unique(soft.numbers(words), return_inverse=True)
        self._places = np.insert(inverse, self._starts - np.arange(len(starts)), len(self._numbers))
        asks = np.array([line.asks for line in self.lines], bool)
        self._factor = np.where(asks, np.float32(QUESTION_FACTOR), np.float32(1))

    def match(self, terms: Terms) -> Match:
        """How well each sentence says the terms."""
        near = self._near(terms)
        if terms.titled.any() and len(self.lines):
            has_title = np.array([any(span.kind == "title" for span in line.spans) for line in self.lines], bool)
            near[np.ix_(terms.titled, has_title)] = 1.0
        in_time = np.array([_fit(source, terms) for source in self.sources], np.float32)
        if not len(self.lines):
            none = np.zeros(0, np.float32)
            return Match(near, none, none, none, in_time)
        whole = np.zeros((len(terms), len(self.sources)), np.float32)
        np.maximum.at(whole.T, self.owner, near.T)
        held = np.maximum(near, SAME_RECORD * whole[:, self.owner])
        timed = TIME_WEIGHT * float(terms.weights.mean()) if terms.periods and len(terms) else 0.0
        total = float(terms.weights.sum()) + timed
        scores = (terms.weights @ held + timed * in_time[self.owner]) / max(total, 1e-6)
        scores = scores * self._factor
        if terms.speaker:
            scores = scores * np.array([_said_by(source, terms) for source in self.sources], np.float32)[self.owner]
        if terms.periods:
            scores = scores * np.where(in_time[self.owner] > 0, np.float32(1), np.float32(OUT_OF_TIME))
        topic = _share(held, terms, ~terms.names)
        named = _share(held, terms, terms.names)
        return Match(near, np.round(scores, 3).astype(np.float32), topic, named, in_time)

    def _near(self, terms: Terms) -> Scores:
        similar = np.zeros((len(terms), len(self._numbers) + 1), np.float32)
        if len(terms) and len(self._numbers):
            similar[:, :-1] = self._soft.similarity(terms.numbers, self._numbers)
            similar[terms.names] = np.where(similar[terms.names] == 1.0, np.float32(1), np.float32(0))
        if not len(self._starts):
            return np.zeros((len(terms), 0), np.float32)
        near: Scores = np.maximum.reduceat(similar[:, self._places], self._starts, axis=1)
        return near


def _share(held: Scores, terms: Terms, which: NDArray[np.bool_]) -> Scores:
    """Shape (lines,): the share of the weight of some terms that each sentence says; 1 where there are none."""
    total = float(terms.weights[which].sum())
    if total <= 0:
        return np.ones(held.shape[1], np.float32)
    share: Scores = np.round(terms.weights[which] @ held[which] / total, 3).astype(np.float32)
    return share


def best_first(scores: Scores) -> list[int]:
    """Places by falling score, ties in order."""
    order: NDArray[np.int64] = np.lexsort((np.arange(len(scores)), -scores))
    return [int(place) for place in order]


def _said_by(source: ReadSource, terms: Terms) -> float:
    """Less than 1 where somebody else says it; a record without an author may be anybody's."""
    return 1.0 if not source.author or not terms.speaker.isdisjoint(source.author) else OTHER_SPEAKER


def _fit(source: ReadSource, terms: Terms) -> float:
    """1 where a record is of, or tells of, a time that is named (or none is); half of it a day beside; else 0."""
    if not terms.periods:
        return 1.0
    return max(_fit_one(source, *period) for period in terms.periods)


def _fit_one(source: ReadSource, first: int, last: int, relation: str) -> float:
    if relation != "during":
        own = source.day.toordinal() if source.day else 0
        return 1.0 if own and (own < first if relation == "before" else own > last) else 0.0
    if any(a <= last and b >= first for a, b in source.days):
        return 1.0
    return 0.5 if any(a <= last + 1 and b >= first - 1 for a, b in source.days) else 0.0
