"""Choose the units of one section, in ranking order, each if it fits.

Where lengths of blocks add up, the first ranks that surely fit are taken at a stroke and only those near the limit are
decided one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.context_candidates import Candidates, Row
from designsearch.runtime.context_fill import EVERYTHING, Filling
from designsearch.runtime.context_layout import Entry, Part
from designsearch.runtime.context_question_items import Items
from designsearch.runtime.context_variables import QuestionVariable
from designsearch.runtime.records import IntArray

CHUNK = 64
"""Candidates that are looked at together."""


def choose(filling: Filling, part: Part, candidates: Candidates, items: Items, question: QuestionVariable) -> None:
    """Choose the units of a part; the parts before it are filled, those after it are empty."""
    choice = _Choice(filling, part, candidates, items, question)
    started = filling.between
    choice.take_one_by_one(choice.take_those_that_surely_fit() if filling.additive else 0)
    if not filling.keeps(part):
        # what was taken at a stroke or by a sum was too much after all
        part.clear()
        filling.believe_counts_only(started)
        choice.take_one_by_one(0)
    filling.settle(part)


class _Choice:
    """The choice of one part's units."""

    def __init__(
        self, filling: Filling, part: Part, candidates: Candidates, items: Items, question: QuestionVariable
    ) -> None:
        self._filling = filling
        self._part = part
        self._candidates = candidates
        self._question = question
        self._items = items
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
        candidates, size, begin = self._candidates, CHUNK, start
        skips = self._filling.additive and self._part.section.fill == "skip"
        while begin < len(candidates.ids):
            room = self._room()
            costs = self._items.costs(candidates.ids[begin : begin + size], room + self._slack)
            rows = candidates.part(begin, begin + size)
            if skips:
                near = begin + np.flatnonzero(self._may_fit(costs, candidates.times[begin : begin + size], room))
                rows, costs = candidates.select(near).part(0, len(near)), costs[near - begin]
            yield from zip(rows, costs.tolist(), strict=True)
            begin += size
            if skips:
                size *= 2  # little room is left by now, so ever fewer of them are looked at one by one

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
        blocks = 1
        if not part.entries:
            cost += self._around
            blocks += 2
        if entry.group not in part.titles:
            cost += self._lengths.joined(title)
            blocks += 1
        part.add(entry, title, cost)
        if self._filling.accepts(part, cost, blocks):
            return True
        part.drop_last(cost, lead)
        return False


def _entry(row: Row, item: str) -> Entry:
    unit, rank, score, group, time = row
    return Entry(unit, rank, score, item, group, time)
