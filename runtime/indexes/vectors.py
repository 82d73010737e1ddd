"""Exact search over unit vectors: one matrix product, the best of each row, ties by id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.indexes.lexical import best
from designsearch.runtime.records import Rankings

BLOCK = 1 << 24
"""Scores held at a time."""

NOTHING = np.float32(-2.0)
"""Below every cosine: the score of what cannot match."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """Vectors of the texts of one view.

    Attributes:
        vectors: shape (texts, dimensions), unit length; a zero row for a text without content, which never matches.
    """

    vectors: NDArray[np.float32]

    def cosines(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Shape (queries, texts)."""
        return queries @ self.vectors.T

    def search(self, queries: NDArray[np.float32], k: int, base: int = 0) -> Rankings:
        """The ``k`` texts nearest to each query by cosine, ids counted from ``base``; none for a zero query."""
        filled = np.abs(self.vectors).max(axis=1, initial=0.0) > 0
        step = max(1, BLOCK // max(1, len(self.vectors)))
        rows = []
        for start in range(0, len(queries), step):
            block = queries[start : start + step]
            scores = np.where(filled, self.cosines(block), NOTHING)
            scores[~block.any(axis=1)] = NOTHING
            rows.extend(best(row, k, above=NOTHING) for row in scores)
        return Rankings.of([(ids + base, scores) for ids, scores in rows])
