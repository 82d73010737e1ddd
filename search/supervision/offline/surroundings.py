"""What the generators by rules know of a whole history: its words, who speaks, what answers what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, stems_of, words_of
from designsearch.runtime.records import History
from designsearch.search.supervision.offline.asker import Asker
from designsearch.search.supervision.offline.near_words import NearWords
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.source_days import day_of_time

ECHO = 400
"""Characters of an answer that are read for other words."""


class Surroundings:
    """A history as the rules see it.

    Attributes:
        asker: whose words are asked for.
        near: other words for a word.
        allowed: shape (records,): the rows that may be asked about.
        days: the day of each row; ``None`` where it is not known.

    Args:
        history: the records.
        allowed: shape (records,): as above; all where not given.
    """

    def __init__(self, history: History, allowed: NDArray[np.bool_] | None = None) -> None:
        self.asker = Asker.of(history)
        self.near = NearWords(history.texts)
        self.allowed = np.ones(len(history), bool) if allowed is None else allowed
        self.days = tuple(day_of_time(time) for time in history.time_texts)
        self._texts = history.texts
        self._sessions = history.sessions.codes
        self._named = np.array([bool(name) for name in history.sessions.names], bool)
        self._holding: dict[str, list[int]] = {}
        for row in np.flatnonzero(self.allowed).tolist():
            for stem in stems_in(history.texts[row]):
                self._holding.setdefault(stem, []).append(row)

    def holding(self, stem: str) -> Sequence[int]:
        """The allowed rows whose texts hold a stem, in order."""
        return self._holding.get(stem, ())

    def rarity(self, phrase: Phrase) -> float:
        """How telling a phrase is: the sum of its words' ``1 / (1 + n) ** 0.25``, n texts hold the word."""
        stems = stems_of([word.casefold() for word in phrase.words])
        return sum(float((1 + len(self.holding(stem))) ** -0.25) for stem in stems)

    def echo(self, row: int) -> list[Phrase]:
        """The phrases of the record right after one in the same session: what was answered."""
        after = row + 1
        if after >= len(self._texts) or self._sessions[after] != self._sessions[row]:
            return []
        return phrases_in(self._texts[after][:ECHO]) if self._named[self._sessions[row]] else []


@lru_cache(maxsize=8192)
def stems_in(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stems_of([w for w in dict.fromkeys(words_of(text)) if w not in STOP and w not in INTERJECTIONS]))
