"""Texts that say nearly the same: exact Jaccard similarity over sets of words, without comparing all pairs.

Prefix and position filters (Chaudhuri et al. 2006; Xiao et al. 2011, "PPJoin"): with the words of every set in one
order, two sets that are similar to at least ``t`` share a word among the first ``n - ceil(t n) + 1`` of each, and after
the first shared word enough must be left. Nothing is missed. A text without words is like no other.
"""

from __future__ import annotations

import math

from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.lexical_tokens import words
from designsearch.search.supervision.near.join import SLACK


class Seen:
    """Texts that came by before, each under the number of its arrival.

    Args:
        threshold: the least similarity that counts, above 0 and at most 1.

    Raises:
        ValueError: the threshold is out of range.
    """

    def __init__(self, threshold: float) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold: {threshold} is not above 0 and at most 1")
        self._threshold = threshold
        self._arrived = 0
        self._numbers: dict[frozenset[str], int] = {}
        self._sets: list[frozenset[str]] = []
        self._holding: dict[str, list[int]] = {}

    def __len__(self) -> int:
        """Number of texts added."""
        return self._arrived

    def closest(self, text: str) -> tuple[int, float] | None:
        """The most similar text at or above the threshold, and how similar; the earliest of equals."""
        own = frozenset(words(text))
        if own in self._numbers:
            return self._numbers[own], 1.0
        best: tuple[float, int] | None = None
        for place in {place for word in self._prefix(own) for place in self._holding.get(word, ())}:
            other = self._sets[place]
            if min(len(own), len(other)) / max(len(own), len(other)) < self._threshold:
                continue
            shared = len(own & other)
            key = (-(shared / (len(own) + len(other) - shared)), self._numbers[other])
            best = key if best is None else min(best, key)
        return (best[1], -best[0]) if best is not None and -best[0] >= self._threshold else None

    def add(self, text: str) -> int:
        """Remember a text; its number, from 0 in order of arrival."""
        own, number = frozenset(words(text)), self._arrived
        self._arrived += 1
        if own and own not in self._numbers:
            self._numbers[own] = number
            for word in self._prefix(own):
                self._holding.setdefault(word, []).append(len(self._sets))
            self._sets.append(own)
        return number

    def _prefix(self, own: frozenset[str]) -> list[str]:
        """The words of which a similar text must share one, likely rare ones first."""
        keep = len(own) - math.ceil(self._threshold * len(own) - SLACK) + 1
        return sorted(own, key=lambda word: (word in ENGLISH, -len(word), word))[:keep]
