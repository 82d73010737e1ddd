"""What every feature of a candidate shares.

A feature is a function ``f(params, ranking, queries, m)`` that gives one number to each entry of a ranking, shape
(entries,). It reads the first store of a memory; an entry of another store gets 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from designsearch.dsl.operators import Params, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import FloatArray, IntArray, Rankings


class FeatureParams(Params):
    """Parameters of a feature that reads one view."""

    view: str = param("raw", about="which text of a unit is read")


def per_question(ranking: Rankings, m: Memory, values: Callable[[int, IntArray], FloatArray]) -> FloatArray:
    """One number an entry, question by question.

    Args:
        ranking: the candidates.
        m: the memory.
        values: from a question's position and the candidates' ids within the first store to their numbers.
    """
    store = m.store(None)
    out = np.zeros(len(ranking.ids))
    inside = (ranking.ids >= store.base) & (ranking.ids < store.base + len(store))
    for q in range(len(ranking)):
        span = slice(int(ranking.offsets[q]), int(ranking.offsets[q + 1]))
        own = inside[span]
        if own.any():
            part = np.zeros(span.stop - span.start)
            part[own] = values(q, ranking.ids[span][own] - store.base)
            out[span] = part
    return out


def per_unit(ranking: Rankings, m: Memory, values: FloatArray) -> FloatArray:
    """One number an entry from one number a unit of the memory, shape (units,) by global id."""
    return values[ranking.ids].astype(np.float64)
