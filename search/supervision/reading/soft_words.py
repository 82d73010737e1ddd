"""How alike two words mean: equal stems, or near in the bundled static embeddings; and how much a word tells.

Questions are put in other words than the records that answer them. Cosines are taken after the mean of the token
vectors is subtracted (Arora et al. 2017) and mapped from [0.2, 0.5] to [0, 0.9]; an equal stem is 1. A word's weight
is its soft rarity in the history: the inverse document frequency of the sum of its similarities to the vocabulary,
each times the texts that hold that word. Numbers and words of the calendar are like no other word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.embedder import Embedder
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder, token_matrix, unit_rows
from designsearch.runtime.models.offline.words import stems_of, words_of

Scores = NDArray[np.float32]
Numbers = NDArray[np.int64]

LEAST, MOST = 0.2, 0.5
HIGHEST = 0.9
VOCABULARY = 8_000
"""The most frequent stems whose similarity counts towards a word's frequency."""
BLOCK = 256
"""Words whose frequency is looked up together."""
LONGEST_WORD = 40
"""Characters; what is longer is no word that has a meaning."""

_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december spring summer autumn winter today yesterday tomorrow morning evening afternoon night "
    "first second third fourth fifth last one two three four five six seven eight nine ten eleven twelve".split()
)
_DIGIT = re.compile(r"\d")


class SoftWords:
    """Words by number, with their vectors; grows as words are met, and forgets none.

    Args:
        texts: a history's texts, from which words get their weight; without them all weigh the same.
        embedder: the bundled one where not given.
    """

    def __init__(self, texts: Sequence[str] = (), embedder: Embedder | None = None) -> None:
        self._embedder = embedder or StaticEmbedder()
        self._mean = unit_rows(token_matrix()).mean(axis=0) if embedder is None else np.float32(0)
        self._numbers: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._vectors = np.zeros((1024, self._embedder.dimensions), np.float32)
        self._stem_of = np.zeros(1024, np.int64)
        self._hard = np.zeros(1024, bool)
        self._size = len(texts)
        self._weights: dict[int, float] = {}
        self._common, self._frequencies = self._count(texts)
        self._common_vectors = self._wide(self._common)

    def numbers(self, words: Sequence[str]) -> Numbers:
        """A number for each word; new ones are embedded together."""
        self.learn(words)
        return np.fromiter((self._numbers[word] for word in words), np.int64, len(words))

    def learn(self, words: Iterable[str]) -> None:
        """Meet words, so that later calls need not embed them one by one."""
        new = [word for word in dict.fromkeys(words) if word not in self._numbers]
        if not new:
            return
        start = len(self._numbers)
        self._grow(start + len(new))
        rows = slice(start, start + len(new))
        self._numbers.update(zip(new, range(start, start + len(new)), strict=True))
        self._vectors[rows] = unit_rows(self._embedder.embed([word[:LONGEST_WORD] for word in new]) - self._mean)
        self._stem_of[rows] = [self._stems.setdefault(stem, len(self._stems)) for stem in stems_of(new)]
        self._hard[rows] = [word in _CALENDAR or bool(_DIGIT.search(word)) for word in new]

    def stems(self, numbers: Numbers) -> Numbers:
        """The number of each word's stem."""
        return self._stem_of[numbers]

    def similarity(self, asked: Numbers, held: Numbers) -> Scores:
        """Shape (asked, held), in [0, 1]."""
        return self._similarity(asked, held, self._wide(held))

    def _wide(self, numbers: Numbers) -> NDArray[np.float64]:
        """Vectors in double precision, so that a product that is laid out otherwise rounds to the same values."""
        return self._vectors[numbers].astype(np.float64)

    def _similarity(self, asked: Numbers, held: Numbers, vectors: NDArray[np.float64]) -> Scores:
        near = (self._wide(asked) @ vectors.T - LEAST) / (MOST - LEAST)
        near = np.clip(np.round(near, 3), 0.0, 1.0) * HIGHEST
        near[self._hard[asked]] = 0.0
        near[:, self._hard[held]] = 0.0
        near[self._stem_of[asked][:, None] == self._stem_of[held][None, :]] = 1.0
        return near.astype(np.float32)

    def weights(self, asked: Numbers) -> Scores:
        """What each word tells, from about 0.1 (in every text) to 1 (in none or one)."""
        new = [number for number in dict.fromkeys(asked.tolist()) if number not in self._weights]
        for start in range(0, len(new), BLOCK):
            block = new[start : start + BLOCK]
            self._weights.update(zip(block, self._rarity(np.array(block, np.int64)).tolist(), strict=True))
        return np.fromiter((self._weights[number] for number in asked.tolist()), np.float32, len(asked))

    def _rarity(self, asked: Numbers) -> Scores:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) of the soft frequency ``n``, over its value at 1; at least 0.1."""
        if not self._size:
            return np.ones(len(asked), np.float32)
        near = self._similarity(asked, self._common, self._common_vectors)
        near[near < HIGHEST / 2] = 0.0  # far neighbours are many, and together would make every word common
        found = np.clip(near.astype(np.float64) @ self._frequencies, 1.0, self._size)
        idf = np.log(1.0 + (self._size - found + 0.5) / (found + 0.5))
        highest = np.log(1.0 + (self._size - 0.5) / 1.5)
        rarity: Scores = np.clip(np.round(idf / max(highest, 1e-6), 3), 0.1, 1.0).astype(np.float32)
        return rarity

    def _count(self, texts: Sequence[str]) -> tuple[Numbers, NDArray[np.float64]]:
        """The most frequent stems of the texts, each as a word that has it, and the number of texts with it."""
        frequency: Counter[str] = Counter()
        for text in texts:
            frequency.update(set(words_of(text)))
        self.learn(sorted(frequency))
        by_stem: Counter[int] = Counter()
        shown: dict[int, int] = {}
        for word, times in frequency.most_common():
            number = self._numbers[word]
            stem = int(self._stem_of[number])
            by_stem[stem] += times
            shown.setdefault(stem, number)
        kept = by_stem.most_common(VOCABULARY)
        counts = np.array([min(times, len(texts)) for _, times in kept], np.float64)
        return np.array([shown[stem] for stem, _ in kept], np.int64), counts

    def _grow(self, size: int) -> None:
        if size <= len(self._vectors):
            return
        room = max(size, 2 * len(self._vectors))
        for name in ("_vectors", "_stem_of", "_hard"):
            old = getattr(self, name)
            new = np.zeros((room, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
