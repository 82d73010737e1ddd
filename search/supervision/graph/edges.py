"""Edges of one kind between the rows of a history, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from designsearch.runtime.records import IntArray


@dataclass(frozen=True, slots=True)
class Edges:
    """Undirected edges, each pair once, in order of their rows.

    Attributes:
        low: shape (edges,): the smaller row.
        high: shape (edges,): the larger row.
        weights: shape (edges,), above 0 and at most 1.
    """

    low: IntArray
    high: IntArray
    weights: NDArray[np.float32]

    @classmethod
    def of(cls, ends: ArrayLike, others: ArrayLike, weights: ArrayLike) -> Edges:
        """From pairs in any direction and number; loops are left out, and of equal pairs the heaviest counts.

        Args:
            ends: shape (pairs,), rows.
            others: shape (pairs,), rows.
            weights: shape (pairs,), or one weight for all.
        """
        one, two = np.asarray(ends, np.int64), np.asarray(others, np.int64)
        weight = np.broadcast_to(np.asarray(weights, np.float32), one.shape)
        proper = one != two
        one, two, weight = one[proper], two[proper], weight[proper]
        low, high = np.minimum(one, two), np.maximum(one, two)
        order = np.lexsort((-weight, low * (int(high.max(initial=0)) + 1) + high))
        low, high, weight = low[order], high[order], weight[order]
        first = np.ones(len(low), bool)
        first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        return cls(low[first], high[first], weight[first])

    def __len__(self) -> int:
        """Number of edges."""
        return len(self.low)


def within_groups(groups: IntArray, reach: int) -> tuple[IntArray, IntArray, IntArray]:
    """Pairs of entries of the same group that are at most ``reach`` places apart.

    Args:
        groups: shape (entries,), the group of each entry; the entries of a group stand together.
        reach: the most places.

    Returns:
        The two entries' indexes and their distance, shapes (pairs,).
    """
    none = np.zeros(0, np.int64)
    firsts, seconds, distances = [none], [none], [none]
    for distance in range(1, reach + 1):
        first = np.flatnonzero(groups[distance:] == groups[:-distance])
        if not len(first):
            break  # groups stand together: none is longer
        firsts.append(first)
        seconds.append(first + distance)
        distances.append(np.full(len(first), distance))
    return np.concatenate(firsts), np.concatenate(seconds), np.concatenate(distances)
