"""Which units show a record: the way back from the history to what is stored of it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from designsearch.runtime.memory import Store
from designsearch.runtime.records import History, IntArray


class RecordIndex:
    """Record to units.

    Args:
        history: the records.
        stores: whose units are looked for.
    """

    def __init__(self, history: History, stores: Iterable[Store]) -> None:
        none = np.zeros(0, np.int64)
        units, rows = [none], [none]
        for store in stores:
            units.append(np.repeat(np.arange(len(store)), np.diff(store.units.offsets)) + store.base)
            rows.append(store.units.records)
        found = np.concatenate(rows)
        order = np.argsort(found, kind="stable")
        self._units: IntArray = np.concatenate(units)[order]
        self._rows = found[order]
        self._row_of = history.row

    def units_of(self, record: str) -> IntArray:
        """Global ids of the units that show a part of the record; empty for an unknown one."""
        row = self._row_of.get(record)
        return self.units_of_row(row) if row is not None else np.zeros(0, np.int64)

    def units_of_row(self, row: int) -> IntArray:
        """The same for the record in that row of the history."""
        low, high = np.searchsorted(self._rows, [row, row + 1])
        return self._units[low:high]

    def units_of_rows(self, rows: Iterable[int]) -> list[int]:
        """Global ids of the units that show these records, each once, in the order of the records."""
        return list(dict.fromkeys(unit for row in rows for unit in self.units_of_row(row).tolist()))
