"""Build the answer's context: which units enter, how they are shown, in which order, exactly within the budget.

Units enter in the order of the ranking, whole or not at all; one that does not fit is skipped (``fill: skip``) or ends
the filling (``fill: stop``). Headers, group titles and separators count. Ordering and grouping come after the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from designsearch.dsl.design import ContextPlan, Order, Section
from designsearch.dsl.templates import compile_template
from designsearch.runtime.context_items import ItemTable, QuestionVariable, item_table
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, Context, ContextUnit, FloatArray, IntArray, Queries, Rankings

SLACK = 4
"""Tokens either side of the limit within which a fit is decided by an exact count instead of by the sum of blocks."""

CHUNK = 64
"""Candidates whose items are looked at together."""


def build_contexts(
    plan: ContextPlan, memory: Memory, rankings: Rankings, queries: Queries, budget: int
) -> list[Context]:
    """The context of each question of a batch.

    Args:
        plan: the design's context part.
        memory: where the units are.
        rankings: the cascade's final ranking.
        queries: the questions that it belongs to.
        budget: the most tokens that a context may have, counted on the whole final text.

    Returns:
        One context a question; an empty text where no unit entered.
    """
    tables = [item_table(section, memory) for section in plan.sections]
    for table in tables:
        table.prepare(_within(rankings, table.section, memory), budget)
    builder = _Builder(plan, memory, tables, budget)
    return [builder.build(QuestionVariable.of(queries, q), *rankings.of_question(q)) for q in range(len(queries))]


def _within(rankings: Rankings, section: Section, memory: Memory) -> Rankings:
    if section.source is None:
        return rankings
    store = memory.stores[section.source]
    return rankings.keep((rankings.ids >= store.base) & (rankings.ids < store.base + len(store)))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A unit that entered a section."""

    unit: int
    rank: int
    score: float
    item: str
    group: int


@dataclass
class _Part:
    """One section while it is filled: the units that entered, in ranking order, and what stands around them."""

    table: ItemTable
    header: str
    footer: str
    allowance: int = 0
    used: int = 0
    entries: list[_Entry] = field(default_factory=list)
    titles: dict[int, str] = field(default_factory=dict)

    def shown(self, times: IntArray) -> list[_Entry]:
        """The entries in the order shown: arranged, then group after group."""
        groups: dict[int, list[_Entry]] = {}
        for i in arranged(self.table.section.order, [int(times[e.unit]) for e in self.entries]):
            groups.setdefault(self.entries[i].group, []).append(self.entries[i])
        return [entry for own in groups.values() for entry in own]

    def blocks(self, times: IntArray) -> list[str]:
        """Header, groups with their titles and items, footer; empty blocks and an empty section left out."""
        if not self.entries:
            return []
        blocks, group = [self.header], None
        for entry in self.shown(times):
            if entry.group != group:
                blocks.append(self.titles[entry.group])
                group = entry.group
            blocks.append(entry.item)
        return [block for block in (*blocks, self.footer) if block]


def arranged(order: Order, times: Sequence[int]) -> list[int]:
    """Positions of units, given in ranking order, in the order in which they are shown.

    ``relevance`` keeps them; ``chronological`` sorts by time, units without one last; ``edges`` puts the best at both
    ends: the 1st, 3rd, 5th, ... then ..., 6th, 4th, 2nd (Liu et al. 2024, "Lost in the middle").
    """
    positions = list(range(len(times)))
    if order == "chronological":
        return sorted(positions, key=lambda i: (times[i] == NO_TIME, times[i]))
    if order == "edges":
        return positions[::2] + positions[1::2][::-1]
    return positions


class _Builder:
    """Fills the contexts of a batch, one question after another."""

    def __init__(self, plan: ContextPlan, memory: Memory, tables: Sequence[ItemTable], budget: int) -> None:
        self._plan = plan
        self._memory = memory
        self._tables = tables
        self._budget = budget
        self._top, self._bottom = "", ""
        self._parts: list[_Part] = []

    def build(self, question: QuestionVariable, ids: IntArray, scores: FloatArray) -> Context:
        """The context of one question from its final ranking."""
        render = self._rendered(question)
        self._top, self._bottom = render(self._plan.header), render(self._plan.footer)
        self._parts = [_Part(t, render(t.section.header), render(t.section.footer)) for t in self._tables]
        available = self._budget - int(self._tables[0].added([self._top, self._bottom]).sum())
        carried = 0
        for part in self._parts:
            part.allowance = int(available * part.table.section.share) + carried
            self._fill(part, question, ids, scores)
            carried = part.allowance - part.used
        return self._finished()

    def _rendered(self, question: QuestionVariable) -> Callable[[str], str]:
        table = self._tables[0]
        return lambda template: table.render(compile_template(template), question=question) if template else ""

    def _fill(self, part: _Part, question: QuestionVariable, ids: IntArray, scores: FloatArray) -> None:
        table, section = part.table, part.table.section
        ranks = np.arange(1, len(ids) + 1)
        if section.source is not None:
            store = self._memory.stores[section.source]
            inside = (ids >= store.base) & (ids < store.base + len(store))
            ids, scores, ranks = ids[inside], scores[inside], ranks[inside]
        around = int(table.added([part.header, part.footer]).sum())
        groups = table.groups(ids).tolist()
        for start in range(0, len(ids), CHUNK):
            chunk = ids[start : start + CHUNK]
            room = part.allowance + SLACK - part.used
            items, costs = table.items(chunk, question, room)
            # with fill: skip only what may fit is looked at one by one
            near = (
                range(len(chunk))
                if section.fill == "stop" or not table.additive
                else np.flatnonzero(costs <= room).tolist()
            )
            for i in near:
                if self._is_full(part):
                    return
                if not items[i]:
                    continue
                j = start + i
                entry = _Entry(int(ids[j]), int(ranks[j]), float(scores[j]), items[i], groups[j])
                cost = int(costs[i]) + (0 if part.entries else around)
                if not self._enter(part, entry, cost, question) and section.fill == "stop":
                    return

    @staticmethod
    def _is_full(part: _Part) -> bool:
        most = part.table.section.max_units
        return part.used >= part.allowance + SLACK or (most is not None and len(part.entries) >= most)

    def _enter(self, part: _Part, entry: _Entry, cost: int, question: QuestionVariable) -> bool:
        """Add a unit where it fits; otherwise leave the part as it was."""
        if part.table.additive and part.used + cost > part.allowance + SLACK:
            return False
        opens = entry.group not in part.titles
        title, title_cost = part.table.title(entry.group, entry.unit, question) if opens else ("", 0)
        part.entries.append(entry)
        part.titles.setdefault(entry.group, title)
        part.used += cost + title_cost
        if self._fits(part):
            return True
        part.entries.pop()
        if opens:
            del part.titles[entry.group]
        part.used -= cost + title_cost
        return False

    def _fits(self, part: _Part) -> bool:
        if part.table.additive and part.used <= part.allowance - SLACK:
            return True
        if len(self._parts) > 1 and part.used > part.allowance:
            return False
        return self._tokens() <= self._budget

    def _part_blocks(self) -> list[tuple[str, list[str]]]:
        """Separator and blocks of each part that shows something, with the frame; empty where no unit entered."""
        filled = [(p.table.section.separator, p.blocks(self._memory.times)) for p in self._parts if p.entries]
        if not filled:
            return []
        outer = self._parts[0].table.section.separator
        return [
            (outer, [self._top]) if self._top else (outer, []),
            *filled,
            (outer, [self._bottom] if self._bottom else []),
        ]

    def _text(self) -> str:
        outer = self._parts[0].table.section.separator
        return outer.join(separator.join(blocks) for separator, blocks in self._part_blocks() if blocks)

    def _tokens(self) -> int:
        """Tokens of the whole text; from the blocks' lengths where they add up."""
        table = self._tables[0]
        if not all(t.additive for t in self._tables) or len({t.section.separator for t in self._tables}) > 1:
            return table.count(self._text())
        first = next((blocks[0] for _, blocks in self._part_blocks() if blocks), None)
        if first is None:
            return 0
        used = sum(part.used for part in self._parts if part.entries) + int(
            table.added([self._top, self._bottom]).sum()
        )
        return used - int(table.added([first])[0]) + table.count(first)

    def _finished(self) -> Context:
        memory = self._memory
        entries = [entry for part in self._parts for entry in part.shown(memory.times)]
        units = tuple(ContextUnit(e.unit, *memory.source_of(e.unit), e.rank, e.score) for e in entries)
        return Context(self._text(), self._tokens(), units)
