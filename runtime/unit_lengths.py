"""How many tokens the units of a memory have, each counted once for all questions."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.memory import Memory
from designsearch.runtime.records import IntArray


def unit_lengths(memory: Memory, units: IntArray) -> IntArray:
    """Tokens of the raw text of each unit, shape (units,), by the memory's counter.

    Args:
        memory: whose units they are.
        units: shape (units,), global ids; the same one may stand there several times.
    """
    # memories of one content share what was counted; a unit that nobody asked about is not counted
    known = memory.services.cache.get(f"unit-lengths-{memory.key}", lambda: np.full(memory.size, -1, np.int64))
    new = np.unique(units[known[units] < 0])
    if len(new):
        known[new] = memory.services.counter.count_all([memory.text(unit) for unit in new.tolist()])
    return np.asarray(known[units], np.int64)
