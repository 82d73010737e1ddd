"""Other words for a word: its neighbours in the bundled static embeddings, among the words that a history itself uses.

A neighbour has another stem and another beginning than the word, the same ending (``-s``, ``-ed``, ``-ing``), and is no
name. Cosines are taken after the vocabulary's mean is subtracted (Arora et al. 2017).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import numpy as np

from designsearch.runtime.indexes.static_embeddings import StaticEmbedder, unit_rows
from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, stems_of, words_of

LEAST = 0.22
"""Cosine from which a word may stand for another."""
NEAREST = 4
"""Neighbours that are passed over: what is nearest in these embeddings is what a design with the same embeddings finds
without any effort, so that questions made of such words would reward it for that alone."""
NEIGHBOURS = 10
"""Neighbours after those, any of which may stand for the word."""
READ = 80
"""Nearest words that are looked at."""
VOCABULARY = 30_000
"""The most frequent words of a history that may stand for others."""
FEWEST = 2
"""Times that a word must occur, as what occurs once is often a mistake in writing."""
NAME_SHARE = 0.4
"""Share of capitalised occurrences within sentences from which on a word is a name."""

_WORD = re.compile(r"[a-z]{4,24}")
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_ENDINGS = ("ing", "ed", "s")


class NearWords:
    """Neighbours by word, found when they are first asked for.

    Args:
        texts: the history's texts.
        frequency: occurrences of their words; counted where not given.
    """

    def __init__(self, texts: Sequence[str], frequency: Counter[str] | None = None) -> None:
        if frequency is None:
            frequency = Counter(word for text in texts for word in words_of(text))
        capitals = Counter(word.lower() for text in texts for word in _CAPITAL.findall(text))
        self._words = [
            word
            for word, times in frequency.most_common(VOCABULARY)
            if times >= FEWEST and _may_stand(word) and capitals[word] < NAME_SHARE * times
        ]
        self._stems = stems_of(self._words)
        self._embedder = StaticEmbedder()
        vectors = self._embedder.embed(self._words) if self._words else np.zeros((0, 1), np.float32)
        self._mean = vectors.mean(axis=0) if len(vectors) else np.zeros(1, np.float32)
        self._vectors = unit_rows(vectors - self._mean)
        self._found: dict[str, tuple[str, ...]] = {}

    def near(self, word: str) -> tuple[str, ...]:
        """Up to ten neighbours, nearest first; empty where none is near enough."""
        if word not in self._found:
            self._found[word] = self._neighbours(word) if self._words and _may_stand(word) else ()
        return self._found[word]

    def _neighbours(self, word: str) -> tuple[str, ...]:
        own = unit_rows(self._embedder.embed([word]) - self._mean)[0]
        cosines = np.round(self._vectors @ own, 4)
        nearest = np.lexsort((np.arange(len(cosines)), -cosines))[:READ]
        stem, ending = stems_of([word])[0], _ending(word)
        fit = (
            self._words[at]
            for at in nearest.tolist()
            if cosines[at] >= LEAST
            and self._stems[at] != stem
            and self._words[at][:4] != word[:4]
            and _ending(self._words[at]) == ending
        )
        return tuple(islice(fit, NEAREST, NEAREST + NEIGHBOURS))


def _may_stand(word: str) -> bool:
    return bool(_WORD.fullmatch(word)) and word not in STOP and word not in INTERJECTIONS


def _ending(word: str) -> str:
    if word.endswith("ss"):
        return ""
    return next((ending for ending in _ENDINGS if word.endswith(ending)), "")
