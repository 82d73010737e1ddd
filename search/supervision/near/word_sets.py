"""The sets of words of many texts, each distinct set once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from designsearch.runtime.indexes.lexical import tokenize
from designsearch.runtime.records import IntArray


@dataclass(frozen=True)
class WordSets:
    """The distinct sets of words of some texts.

    Attributes:
        words: shape (sets, vocabulary), 1 where a set holds a word; words are numbered from the rarest to the most
            frequent, and sorted in each set.
        of_text: shape (texts,): the set of each text, -1 for a text without words.
    """

    words: csr_array
    of_text: IntArray

    @classmethod
    def of(cls, texts: Sequence[str], fewest: int = 1) -> WordSets:
        """The sets of those texts that have at least ``fewest`` distinct words."""
        corpus = tokenize(texts, "none", "none")
        shape = (len(texts), len(corpus.vocabulary))
        held = csr_array((np.ones(len(corpus.tokens), np.int32), corpus.tokens, corpus.offsets), shape=shape)
        held.sum_duplicates()
        rank = np.empty(shape[1], np.int64)
        rank[np.argsort(np.bincount(held.indices, minlength=shape[1]), kind="stable")] = np.arange(shape[1])
        held.indices = rank[held.indices].astype(held.indices.dtype)
        held.has_sorted_indices = False
        held.sort_indices()
        table: dict[bytes, int] = {}
        of_text = np.full(len(texts), -1, np.int64)
        firsts: list[int] = []
        for row, (start, stop) in enumerate(zip(held.indptr[:-1].tolist(), held.indptr[1:].tolist(), strict=True)):
            if stop - start >= fewest:
                number = table.setdefault(held.indices[start:stop].tobytes(), len(table))
                of_text[row] = number
                if number == len(firsts):
                    firsts.append(row)
        held.data[:] = 1
        return cls(held[np.array(firsts, np.int64)], of_text)

    def __len__(self) -> int:
        """Number of distinct sets."""
        return int(self.words.shape[0])

    def members(self) -> list[list[int]]:
        """The texts of each set, ascending."""
        found: list[list[int]] = [[] for _ in range(len(self))]
        for text, number in enumerate(self.of_text.tolist()):
            if number >= 0:
                found[number].append(text)
        return found
