"""From source text that notes cite to the units of a store that show it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from designsearch.runtime.cache import content_key
from designsearch.runtime.episodes.states import Cited
from designsearch.runtime.memory import Memory, Store
from designsearch.runtime.records import IntArray


class CitedUnits:
    """Finds the units of a store by the text that they show.

    Args:
        store: whose units are looked for.
    """

    def __init__(self, store: Store) -> None:
        units = store.units
        order = np.argsort(units.records, kind="stable")
        self._records: IntArray = units.records[order]
        self._starts: IntArray = units.starts[order]
        self._ends: IntArray = units.ends[order]
        self._units: IntArray = (np.repeat(np.arange(len(store)), np.diff(units.offsets)) + store.base)[order]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return 4 * self._units.nbytes

    def showing(self, cited: Iterable[Cited]) -> list[int]:
        """Global ids of the units that show some of the text, each once, in the order in which it is cited."""
        return list(dict.fromkeys(unit for one in cited for unit in self._of(one)))

    def _of(self, cited: Cited) -> list[int]:
        low, high = np.searchsorted(self._records, [cited.record, cited.record + 1])
        if cited.start == cited.end:  # a text of no characters has no part of its own
            return list(map(int, self._units[low:high]))
        shows = (self._starts[low:high] < cited.end) & (self._ends[low:high] > cited.start)
        return list(map(int, self._units[low:high][shows]))


def cited_units(memory: Memory, store: str) -> CitedUnits:
    """The units of a store of a memory by what they show, put in order once."""
    held = memory.stores[store]
    return memory.services.cache.get(content_key("cited-units", held.key, held.base), lambda: CitedUnits(held))
