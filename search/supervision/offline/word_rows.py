"""Which records hold which word: an inverted index over stems, made in one pass over a history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, stems_of, words_of


class WordRows:
    """The rows of each stem, in order.

    Attributes:
        frequency: occurrences of each word, as :func:`~designsearch.runtime.models.offline.words.words_of` gives it, in
            the whole history.

    Args:
        texts: the history's texts.
        allowed: shape (records,): the rows that are listed.
    """

    def __init__(self, texts: Sequence[str], allowed: NDArray[np.bool_]) -> None:
        self.frequency: Counter[str] = Counter()
        numbers: dict[str, int] = {}
        held: list[NDArray[np.int32]] = []
        sizes = np.zeros(len(texts), np.int64)
        for row, (text, wanted) in enumerate(zip(texts, allowed.tolist(), strict=True)):
            words = words_of(text)
            self.frequency.update(words)
            if wanted:
                own = dict.fromkeys(words)
                held.append(np.fromiter((numbers.setdefault(w, len(numbers)) for w in own), np.int32, len(own)))
                sizes[row] = len(own)
        words = list(numbers)
        stems = stems_of(words)
        self._stems: dict[str, int] = {}
        kept = np.array([word not in STOP and word not in INTERJECTIONS for word in words], bool)
        of_word = np.array([self._stems.setdefault(stem, len(self._stems)) for stem in stems], np.int64)
        flat = np.concatenate(held) if held else np.zeros(0, np.int32)
        rows = np.repeat(np.arange(len(texts), dtype=np.int64), sizes)
        if len(flat):
            rows, flat = rows[kept[flat]], flat[kept[flat]]
        pairs = np.unique((of_word[flat] if len(flat) else np.zeros(0, np.int64)) * max(1, len(texts)) + rows)
        self._rows = (pairs % max(1, len(texts))).astype(np.int32)
        self._starts = np.searchsorted(pairs // max(1, len(texts)), np.arange(len(self._stems) + 1))

    def holding(self, stem: str) -> list[int]:
        """The listed rows whose texts hold a stem, in order."""
        number = self._stems.get(stem)
        if number is None:
            return []
        found: list[int] = self._rows[self._starts[number] : self._starts[number + 1]].tolist()
        return found

    def size(self, stem: str) -> int:
        """How many rows those are."""
        number = self._stems.get(stem)
        return 0 if number is None else int(self._starts[number + 1] - self._starts[number])
