"""Drop what was superseded."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, IntArray, Queries, Rankings


@operator("latest_valid", "refine", Params)
def latest_valid(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Drop units that no longer held when the question was asked; where that is unknown, those that do not hold now.

    It needs a store that keeps track of it (``consolidate`` with ``validity``); units of any other store stay.
    """
    until = _valid_until(m)[ranking.ids]
    asked = np.repeat(queries.as_of, ranking.sizes)
    return ranking.keep((until == NO_TIME) | ((asked != NO_TIME) & (until > asked)))


def _valid_until(m: Memory) -> IntArray:
    """Shape (units,): when each unit was superseded, by global id; ``NO_TIME`` where it holds."""
    parts = [
        np.full(len(store), NO_TIME, np.int64) if store.units.valid_until is None else store.units.valid_until
        for store in m.stores.values()
    ]
    return np.concatenate(parts)
