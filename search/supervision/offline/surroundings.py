"""What the generators by rules know of a whole history: its words, who speaks, what answers what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, stems_of, words_of
from designsearch.runtime.records import NO_TIME, History
from designsearch.search.supervision.offline.asker import Asker
from designsearch.search.supervision.offline.near_words import NearWords
from designsearch.search.supervision.offline.phrases import Phrase, phrases_in
from designsearch.search.supervision.offline.readable import MOST_TEXT
from designsearch.search.supervision.offline.word_rows import WordRows
from designsearch.search.supervision.shares import has_assistant, of_program
from designsearch.search.supervision.source_days import day_of_time

ECHO = 400
"""Characters of an answer that are read for other words."""
YEAR = 365
"""Days."""
ENOUGH = 100
"""Records that are looked at to tell how a word is written."""


class Surroundings:
    """A history as the rules see it.

    Attributes:
        asker: whose words are asked for.
        near: other words for a word.
        allowed: shape (records,): the rows that may be asked about.
        days: the day of each row; ``None`` where it is not known.
        years: whether the days are so far apart that one without its year may be another.

    Args:
        history: the records.
        allowed: shape (records,): as above; all where not given.
    """

    def __init__(self, history: History, allowed: NDArray[np.bool_] | None = None) -> None:
        self.asker = Asker.of(history)
        self.allowed = np.ones(len(history), bool) if allowed is None else allowed
        self._words = WordRows(history.texts, self.allowed)
        self.near = NearWords(history.texts, self._words.frequency)
        self.days = tuple(day_of_time(time) for time in history.time_texts)
        known = [day for day in self.days if day is not None]
        self.years = bool(known) and (max(known) - min(known)).days >= YEAR
        self._texts = history.texts
        self._sessions = history.sessions.codes
        self._named = np.array([bool(name) for name in history.sessions.names], bool)
        self._answered = has_assistant(history)
        self._said = ~of_program(history)
        self._times = history.times
        self._written_small: dict[str, bool] = {}

    def holding(self, stem: str) -> Sequence[int]:
        """The allowed rows whose texts hold a stem, in order."""
        return self._words.holding(stem)

    def rarity(self, phrase: Phrase) -> float:
        """How telling a phrase is: the sum of its words' ``1 / (1 + n) ** 0.25``, n texts hold the word."""
        stems = stems_of([word.casefold() for word in phrase.words])
        return sum(float((1 + self._words.size(stem)) ** -0.25) for stem in stems)

    def is_word(self, name: str) -> bool:
        """Whether what is capitalised somewhere is as often written small: the beginning of a heading, no name."""
        if name not in self._written_small:
            stem = stems_of([name.casefold()])[0]
            texts = [self._texts[row][:MOST_TEXT] for row in self.holding(stem)[:ENOUGH]]
            small, great = (
                sum(len(re.findall(rf"\b{re.escape(form)}\b", text)) for text in texts) for form in (name.lower(), name)
            )
            self._written_small[name] = name != name.lower() and small > 0 and small >= great
        return self._written_small[name]

    def was_before(self, row: int, other: int) -> bool | None:
        """Whether a record was written before another one; ``None`` where nothing tells."""
        first, second = int(self._times[row]), int(self._times[other])
        if first != second and NO_TIME not in (first, second):
            return first < second
        together = self._sessions[row] == self._sessions[other] and bool(self._named[self._sessions[row]])
        return row < other if together else None

    def echo(self, row: int) -> Sequence[Phrase]:
        """The phrases of what was said beside a record, in the same session.

        That is what an assistant answered; among people the record before and the one after, as both have the same
        subject.
        """
        if not self._named[self._sessions[row]]:
            return ()
        beside = (row + 1,) if self._answered else (row - 1, row + 1)
        inside = [one for one in beside if 0 <= one < len(self._texts) and self._sessions[one] == self._sessions[row]]
        return [phrase for one in inside if self._said[one] for phrase in phrases_in(self._texts[one][:ECHO])]


@lru_cache(maxsize=8192)
def stems_in(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stems_of([w for w in dict.fromkeys(words_of(text)) if w not in STOP and w not in INTERJECTIONS]))
