"""Several queries of one question, one ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from designsearch.runtime.records import FloatArray, IntArray

Combine = Literal["sum", "rrf", "max"]
KAPPA = 60


def combine(how: Combine, lists: Sequence[tuple[IntArray, FloatArray]], k: int) -> tuple[IntArray, FloatArray]:
    """Join ranked lists by reciprocal rank (``rrf``, kappa 60), by the best score (``max``) or by the sum (``sum``).

    Args:
        how: the rule.
        lists: (ids, scores) a query, best first.
        k: how many are kept.

    Returns:
        Ids and scores, best first, ties by id.
    """
    if not lists:
        return np.zeros(0, np.int64), np.zeros(0)
    ids = np.concatenate([i for i, _ in lists])
    if how == "rrf":
        values = np.concatenate([1.0 / (KAPPA + np.arange(1, len(i) + 1)) for i, _ in lists])
    else:
        values = np.concatenate([s for _, s in lists])
    unique, inverse = np.unique(ids, return_inverse=True)
    if how == "max":
        joined = np.full(len(unique), -np.inf)
        np.maximum.at(joined, inverse, values)
    else:
        joined = np.bincount(inverse, weights=values, minlength=len(unique))
    order = np.lexsort((unique, -joined))[:k]
    return unique[order], joined[order]
