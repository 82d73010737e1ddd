"""Choose the units of a context one after another, exactly within the budget.

Where lengths of blocks add up (``context_lengths.py``), the first ranks that surely fit are taken at a stroke and only
those near the limit are decided one by one; with any other counter each unit is decided by a count of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.design import Section
from designsearch.runtime.context_layout import LAST, Entry, Part
from designsearch.runtime.context_variables import QuestionVariable, group_codes
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, FloatArray, IntArray

CHUNK = 64
"""Candidates that are looked at together."""

EVERYTHING = 1 << 62
"""Room for any item."""


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
    def of(cls, section: Section, memory: Memory, ids: IntArray, scores: FloatArray) -> Candidates:
        """Those of a ranking that the section shows."""
        ranks = np.arange(1, len(ids) + 1)
        if section.source is not None:
            store = memory.stores[section.source]
            inside = (ids >= store.base) & (ids < store.base + len(store))
            ids, scores, ranks = ids[inside], scores[inside], ranks[inside]
        times = memory.times[ids]
        times[times == NO_TIME] = LAST
        return cls(ids, ranks, scores, group_codes(memory, section.group_by, ids), times)

    def select(self, places: IntArray) -> Candidates:
        """Only those."""
        return Candidates(
            self.ids[places], self.ranks[places], self.scores[places], self.groups[places], self.times[places]
        )

    def part(self, start: int, end: int) -> Iterator[Row]:
        """Some of them, one after another."""
        columns = (self.ids, self.ranks, self.scores, self.groups, self.times)
        return zip(*(column[start:end].tolist() for column in columns), strict=True)


class Filling:
    """The parts of one context while they are filled, one after another.

    Args:
        parts: the sections.
        top: what stands before all sections.
        bottom: what stands after them.
        budget: the most tokens of the whole text.

    Attributes:
        around: what ``top`` and ``bottom`` add.
        additive: whether lengths of blocks add up.
    """

    def __init__(self, parts: Sequence[Part], top: str, bottom: str, budget: int) -> None:
        self._parts = parts
        self._top, self._bottom = top, bottom
        self._budget = budget
        self._outer = parts[0].table.lengths
        self.additive = all(part.table.lengths.additive for part in parts)
        self._ends = self._outer.joined(bottom)
        self.around = self._outer.joined(top) + self._ends
        # tokens of the text as far as it is settled
        self._before = self._outer.alone(top) if top else 0

    def fill(self, part: Part, candidates: Candidates, question: QuestionVariable) -> None:
        """Choose the units of a part; the parts before it are filled, those after it are empty."""
        choice = _Choice(self, part, candidates, question)
        if self.additive:
            start = choice.take_those_that_surely_fit()
            if not self.fits(part):
                part.clear()
                start = 0
            choice.take_one_by_one(start)
            self._before = self._up_to(part)
        else:
            choice.take_one_by_one(0)

    def fits(self, part: Part) -> bool:
        """Whether the whole text keeps to the budget, and the part to its allowance."""
        if part.allowance is not None and part.used > part.allowance:
            return not part.entries
        if self.additive:
            return not part.entries or self._up_to(part) + self._ends <= self._budget
        return self._outer.count(self.text()) <= self._budget

    def room(self, part: Part) -> int:
        """How much ``part.used`` may grow as long as the same block stands first."""
        total = self._budget - self._ends - self._up_to(part)
        return total if part.allowance is None else min(total, part.allowance - part.used)

    def slack(self, part: Part) -> int:
        """By how many tokens another first block may change that."""
        return max(part.table.lengths.slack, self._outer.slack)

    def _up_to(self, part: Part) -> int:
        """Tokens of the text up to the end of a part."""
        block = part.first_block()
        if not block:
            return self._before
        first = self._outer.joined(block) if self._before else self._outer.alone(block)
        return self._before + part.used + first - part.table.lengths.joined(block)

    def tokens(self) -> int:
        """Tokens of the final text."""
        if not any(part.entries for part in self._parts):
            return 0
        return self._before + self._ends if self.additive else self._outer.count(self.text())

    def text(self) -> str:
        """The whole text; empty where no unit was chosen."""
        filled = [part.section.separator.join(part.blocks()) for part in self._parts if part.entries]
        if not filled:
            return ""
        return self._outer.separator.join(block for block in (self._top, *filled, self._bottom) if block)


class _Choice:
    """The choice of one part's units."""

    def __init__(self, filling: Filling, part: Part, candidates: Candidates, question: QuestionVariable) -> None:
        self._filling = filling
        self._part = part
        self._candidates = candidates
        self._question = question
        self._items = part.table.items(question)
        self._lengths = part.table.lengths
        self._around = int(self._lengths.added([part.header, part.footer]).sum())
        self._slack = filling.slack(part)

    def take_those_that_surely_fit(self) -> int:
        """Choose the first candidates up to a little below the limit; how many were looked at."""
        part, ids = self._part, self._candidates.ids
        limit = self._filling.room(part) - self._slack
        start = 0
        while start < len(ids) and not part.is_full:
            chunk = ids[start : start + CHUNK]
            costs = self._items.costs(chunk, limit - part.used)
            costs = costs + self._extra(start, costs)
            fitting = int(np.searchsorted(part.used + np.cumsum(costs), limit, side="right"))
            for row, cost in zip(self._candidates.part(start, start + fitting), costs.tolist(), strict=False):
                item = self._items.text(row[0])
                if item and not part.is_full:
                    part.add(_entry(row, item), self._title(row[3]), cost)
            start += fitting
            if fitting < len(chunk):
                break
        return start

    def _extra(self, start: int, costs: IntArray) -> IntArray:
        """What each of a chunk brings along if all before it enter: its group's title, what stands around the part."""
        extra = np.zeros(len(costs), np.int64)
        shown = np.flatnonzero(costs).tolist()
        if shown and not self._part.entries:
            extra[shown[0]] += self._around
        if self._part.table.has_titles:
            groups = self._candidates.groups[start : start + len(costs)].tolist()
            first = {groups[i]: i for i in reversed(shown)}
            for group, i in first.items():
                if group not in self._part.titles:
                    extra[i] += self._lengths.joined(self._title(group))
        return extra

    def _title(self, group: int) -> str:
        return self._part.table.title(group, self._question)

    def take_one_by_one(self, start: int) -> None:
        """Choose among the candidates from ``start`` on, each by whether the whole text fits with it."""
        part = self._part
        stops, room = part.section.fill == "stop", self._room()
        for row, cost in self._near(start):
            if part.is_full:
                return
            if cost <= room or part.leads(row[4]):
                item = self._items.text(row[0])
                if not item:
                    continue
                if self._enter(_entry(row, item), cost):
                    room = self._room()
                    continue
            if stops:
                return

    def _room(self) -> int:
        """The most that a candidate that is not shown first may cost; no limit where only a count can tell."""
        return self._filling.room(self._part) if self._filling.additive else EVERYTHING

    def _near(self, start: int) -> Iterator[tuple[Row, int]]:
        """The candidates that may fit, each with its cost; those after a limit that ends the filling included."""
        candidates, size = self._candidates, CHUNK
        skips = self._filling.additive and self._part.section.fill == "skip"
        if skips:
            size = max(1, len(candidates.ids) - start)
        for begin in range(start, len(candidates.ids), size):
            room = self._room()
            costs = self._items.costs(candidates.ids[begin : begin + size], room + self._slack)
            rows = candidates.part(begin, begin + size)
            if skips:
                near = begin + np.flatnonzero(self._may_fit(costs, candidates.times[begin : begin + size], room))
                rows, costs = candidates.select(near).part(0, len(near)), costs[near - begin]
            yield from zip(rows, costs.tolist(), strict=True)

    def _may_fit(self, costs: IntArray, times: IntArray, room: int) -> NDArray[np.bool_]:
        """Shape of ``costs``: what is short enough, a little longer where another block would then stand first."""
        lead = self._part.lead
        if lead is None:
            return np.asarray(costs <= room + self._slack, bool)
        if self._part.section.order == "chronological":
            return np.asarray((costs <= room) | ((costs <= room + self._slack) & (times < lead.time)), bool)
        return np.asarray(costs <= room, bool)

    def _enter(self, entry: Entry, cost: int) -> bool:
        """Choose a candidate where it fits; otherwise leave the part as it was."""
        part, lead = self._part, self._part.lead
        title = self._title(entry.group)
        if not part.entries:
            cost += self._around
        if entry.group not in part.titles:
            cost += self._lengths.joined(title)
        part.add(entry, title, cost)
        if self._filling.fits(part):
            return True
        part.drop_last(cost, lead)
        return False


def _entry(row: Row, item: str) -> Entry:
    unit, rank, score, group, time = row
    return Entry(unit, rank, score, item, group, time)
