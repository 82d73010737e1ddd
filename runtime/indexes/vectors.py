"""Exact search over unit vectors: one matrix product, the best of each row, ties by id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.indexes.lexical import best
from designsearch.runtime.records import Ranked, Rankings

BLOCK = 1 << 24
"""Scores held at a time."""

ROWS = 1 << 16
"""Texts whose vectors are widened to double precision at a time."""

NOTHING = -2.0
"""Below every cosine: the score of what cannot match."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """Vectors of the texts of one view.

    Attributes:
        vectors: shape (texts, dimensions), unit length; a zero row for a text without content, which never matches.
    """

    vectors: NDArray[np.float32]

    def cosines(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Shape (queries, texts).

        They are summed in double precision and rounded, so that equal texts have equal cosines and a question has the
        same ones alone and in a batch, whichever way the matrix product is laid out.

        Raises:
            CannotContinueError: the queries' vectors are of another length.
        """
        if len(queries) and len(self.vectors) and queries.shape[1] != self.vectors.shape[1]:
            raise CannotContinueError(
                f"the embedder gives vectors of {queries.shape[1]} numbers for questions, and gave vectors of "
                f"{self.vectors.shape[1]} for the texts that are kept; has the model behind its name changed?"
            )
        out = np.empty((len(queries), len(self.vectors)), np.float32)
        wide = queries.astype(np.float64)
        for start in range(0, len(self.vectors), ROWS):
            rows = slice(start, start + ROWS)
            out[:, rows] = wide @ self.vectors[rows].astype(np.float64).T
        return out

    def search(self, queries: NDArray[np.float32], k: int, base: int = 0) -> Rankings:
        """The ``k`` texts nearest to each query by cosine, ids counted from ``base``; none for a zero query."""
        filled = np.abs(self.vectors).max(axis=1, initial=0.0) > 0
        step = max(1, BLOCK // max(1, len(self.vectors)))
        rows: list[Ranked] = []
        for start in range(0, len(queries), step):
            block = queries[start : start + step]
            cosines = self.cosines(block)
            cosines[:, ~filled] = NOTHING
            cosines[~block.any(axis=1)] = NOTHING
            rows.extend(best(row, k, above=NOTHING) for row in cosines)
        found = Rankings.of(rows)
        return Rankings(found.offsets, found.ids + base, found.scores)
