"""Cosines between units that enter a store one after the other and those that entered before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.indexes.lexical import best
from designsearch.runtime.records import IntArray

CELLS = 1 << 23
"""Cosines that are held at a time."""

ROWS = 512
"""Units whose cosines are worked out at a time, at most."""


class Likeness:
    """The cosines of a few units with all before them; they follow where a vector is replaced.

    They are summed in double precision and rounded, so that they do not depend on how a product is laid out.

    Args:
        vectors: shape (units, dimensions), unit length or zero.
    """

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors.astype(np.float64)
        self._filled = np.abs(vectors).max(axis=1, initial=0.0) > 0
        self._rows = max(1, min(ROWS, CELLS // max(1, len(vectors))))
        self._start = 0
        self._block = np.zeros((0, 0), np.float32)

    def stop(self, unit: int) -> int:
        """The first unit beyond the few that this one belongs to; new ones begin with it where it belongs to none."""
        if not self._start <= unit < self._start + len(self._block):
            self._start = unit
            rows = self._vectors[unit : unit + self._rows]
            self._block = (rows @ self._vectors[: unit + len(rows)].T).astype(np.float32)
        return self._start + len(self._block)

    def with_units(self, unit: int, others: slice) -> NDArray[np.float32]:
        """Its cosine with each of some units before it; -inf with one without content, or where it has none itself."""
        self.stop(unit)
        row = self._block[unit - self._start, others]
        return np.where(self._filled[others] & self._filled[unit], row, np.float32(-np.inf))

    def replace(self, unit: int, vector: NDArray[np.float32]) -> None:
        """Give a unit another vector."""
        self._vectors[unit] = vector
        self._filled[unit] = bool(vector.any())
        rows = self._vectors[self._start : self._start + len(self._block)]
        self._block[:, unit] = rows @ self._vectors[unit]


def nearest(cosines: NDArray[np.float32], threshold: float, most: int) -> IntArray:
    """The places of the ``most`` highest cosines of at least ``threshold``, the highest first, ties by place."""
    # best() wants more than a limit: the next number below the threshold
    places, _ = best(cosines, most, above=float(np.nextafter(np.float32(threshold), np.float32(-2))))
    return places
