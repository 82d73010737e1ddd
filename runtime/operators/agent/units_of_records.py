"""Which units of a store show a record."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from designsearch.runtime.memory import Store


class UnitsOfRecords:
    """Record to units, for one store.

    Args:
        store: whose units.
    """

    def __init__(self, store: Store) -> None:
        units = store.units
        owners = np.repeat(np.arange(len(units)), np.diff(units.offsets))
        order = np.lexsort((owners, units.records))
        self._records = units.records[order]
        self._units = owners[order] + store.base

    def of(self, rows: Iterable[int]) -> list[int]:
        """Global ids of the units that show these records, each once, in the order of the records."""
        found: dict[int, None] = {}
        for row in rows:
            first, last = np.searchsorted(self._records, [row, row + 1])
            found.update(dict.fromkeys(self._units[first:last].tolist()))
        return list(found)
