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
            filled = self._filled[: unit + len(rows)]
            self._block[:, ~filled] = -np.inf
            self._block[~filled[unit:]] = -np.inf
        return self._start + len(self._block)

    def with_units(self, unit: int, others: slice) -> NDArray[np.float32]:
        """Its cosine with each of some units before it; -inf with one without content, or where it has none itself.

        They are read only, and follow when a vector is replaced.
        """
        self.stop(unit)
        row = self._block[unit - self._start, others]
        row.flags.writeable = False
        return row

    def replace(self, unit: int, vector: NDArray[np.float32]) -> None:
        """Give a unit another vector."""
        self._vectors[unit] = vector
        self._filled[unit] = bool(vector.any())
        own = slice(self._start, self._start + len(self._block))
        column = self._vectors[own] @ self._vectors[unit]
        self._block[:, unit] = np.where(self._filled[own] & self._filled[unit], column, -np.inf)


def nearest(
    cosines: NDArray[np.float32], threshold: float, most: int, among: NDArray[np.bool_] | None = None
) -> IntArray:
    """The places of the ``most`` highest cosines of at least ``threshold``, the highest first, ties by place.

    Args:
        cosines: shape (units,).
        threshold: the least one that counts.
        most: how many are wanted.
        among: shape (units,): which of them count; all where not given.
    """
    near = cosines >= threshold
    places = np.flatnonzero(near if among is None else near & among)
    first, _ = best(cosines[places], most, above=-np.inf)
    return places[first]
