"""The ranked units that one section of a context may show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designsearch.dsl.design import Section
from designsearch.runtime.context_layout import LAST
from designsearch.runtime.context_variables import group_codes
from designsearch.runtime.excerpts import Excerpts
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, FloatArray, IntArray

Row = tuple[int, int, float, int, int]
"""Global id, rank, score, group and time of a candidate."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The ranked units of one section, best first; all shapes (candidates,).

    Attributes:
        ids: global unit ids.
        ranks: 1-based ranks in the final ranking.
        scores: final scores.
        groups: codes of their groups.
        times: local wall-clock seconds, ``LAST`` where unknown.
    """

    ids: IntArray
    ranks: IntArray
    scores: FloatArray
    groups: IntArray
    times: IntArray

    @classmethod
    def of(cls, section: Section, memory: Memory, ids: IntArray, scores: FloatArray, excerpts: Excerpts) -> Candidates:
        """Those of a ranking that the section shows."""
        ranks = np.arange(1, len(ids) + 1)
        if section.source is not None:
            store = memory.stores[section.source]
            inside = (ids >= store.base) & (ids < store.base + len(store))
            ids, scores, ranks = ids[inside], scores[inside], ranks[inside]
        rows = _first_rows(memory, ids, excerpts)
        times = memory.history.times[rows]
        times[times == NO_TIME] = LAST
        return cls(ids, ranks, scores, group_codes(memory, section.group_by, rows), times)

    def select(self, places: IntArray) -> Candidates:
        """Only those."""
        return Candidates(
            self.ids[places], self.ranks[places], self.scores[places], self.groups[places], self.times[places]
        )

    def part(self, start: int, end: int) -> Iterator[Row]:
        """Some of them, one after another."""
        columns = (self.ids, self.ranks, self.scores, self.groups, self.times)
        return zip(*(column[start:end].tolist() for column in columns), strict=True)


def _first_rows(memory: Memory, ids: IntArray, excerpts: Excerpts) -> IntArray:
    """Row of the first record that is shown of each unit, shape (ids,)."""
    rows: IntArray = memory.first_records[ids]
    for unit, excerpt in excerpts.items():
        rows[ids == unit] = excerpt.first
    return rows
