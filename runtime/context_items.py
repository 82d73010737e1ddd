"""The rendered items and group titles of one context section, with their lengths; rendered once, used by all questions.

A *block* is one item, title, header or footer. Blocks are joined by the section's separator. With a counter that
splits at line breaks and a separator that begins with one, the length of a text is the sum over its blocks of what each
adds after another, so nothing is counted twice; other counters are asked about whole texts (``context.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from designsearch.dsl.design import RAW, Section
from designsearch.dsl.templates import CUTTER, Moment, Template, compile_template
from designsearch.runtime.cache import content_key
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, IntArray, Queries, Rankings

CHARACTERS_PER_TOKEN = 4
"""Roughly; only decides what is counted ahead in one batch."""


class ItemTable:
    """Items of one section by global unit id.

    Attributes:
        section: the section.
        additive: whether lengths of blocks add up to the length of the text.
    """

    def __init__(self, section: Section, memory: Memory) -> None:
        self.section = section
        self._memory = memory
        self._counter = memory.services.counter
        self._item = compile_template(section.item)
        self._by_question = "question" in self._item.variables
        self._texts: list[str | None] = [None] * memory.size
        self._costs = np.full(memory.size, -1, np.int64)
        self._titles: dict[tuple[int, str], tuple[str, int]] = {}
        self._opening: dict[str, int] = {}
        self.additive = self._counter.splits_at_newline and section.separator.startswith("\n")

    @property
    def nbytes(self) -> int:
        """Bytes held, roughly."""
        return self._costs.nbytes + 300 * len(self._texts)

    def prepare(self, rankings: Rankings, budget: int) -> None:
        """Render and count in one batch what most likely enters: the first ranks, up to a budget of average units."""
        if self._by_question or not len(rankings.ids):
            return
        lengths = [len(store.units.texts[i]) for store in self._memory.stores.values() for i in range(0, len(store), 7)]
        average = sum(lengths) / max(1, len(lengths)) / CHARACTERS_PER_TOKEN + 2
        first = np.unique(rankings.ids[rankings.ranks <= budget / average])
        self._render_all(first)
        self._count(first)

    def items(self, ids: IntArray, question: Any, room: int) -> tuple[list[str], IntArray]:
        """The items of those units and what each adds to a text, shapes (ids,).

        An item that is surely longer than ``room`` is not counted; it gets a lower bound above ``room``.
        """
        if self._by_question:
            texts = [self._item_text(int(u), question) for u in ids]
            return texts, self.added(texts)
        self._render_all(ids)
        texts = [self._texts[u] or "" for u in ids.tolist()]
        least = np.fromiter((len(t) for t in texts), np.int64, len(texts)) // self._counter.longest
        unknown = self._costs[ids] < 0
        self._count(ids[unknown & (least <= room)])
        return texts, np.where(unknown & (least > room), least, self._costs[ids])

    def _render_all(self, ids: IntArray) -> None:
        for unit in ids.tolist():
            if self._texts[unit] is None:
                self._texts[unit] = self._item_text(unit, None)

    def _count(self, ids: IntArray) -> None:
        missing = ids[self._costs[ids] < 0]
        if len(missing):
            self._costs[missing] = self.added([self._texts[u] or "" for u in missing.tolist()])

    def _item_text(self, unit: int, question: Any) -> str:
        return self.render(self._item, unit=unit_variables(self._memory, unit, self._item), question=question)

    def render(self, template: Template, **variables: Any) -> str:
        """A template's text with the study's token counter behind ``truncate_tokens``."""
        return template.render(**variables, **{CUTTER: self._counter.truncate})

    def added(self, blocks: Sequence[str]) -> IntArray:
        """Tokens that each block adds after another one, its separator included; 0 for an empty block."""
        if not any(blocks):
            return np.zeros(len(blocks), np.int64)
        joint = self.section.separator if self.additive else ""
        base = self._counter.count_all([joint[:1]])[0] - 1 if joint else 0
        counts = self._counter.count_all([joint + block for block in blocks]) - base
        return np.where(np.fromiter((bool(b) for b in blocks), bool, len(blocks)), counts, 0)

    def opens_with(self, block: str) -> int:
        """How many tokens fewer a block takes at the very beginning of a text than after another block."""
        if block not in self._opening:
            self._opening[block] = int(self.added([block])[0]) - self.count(block)
        return self._opening[block]

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return int(self._counter.count_all([text])[0])

    def groups(self, ids: IntArray) -> IntArray:
        """The group code of each unit, shape (ids,); all 0 without ``group_by``."""
        memory, by = self._memory, self.section.group_by
        if by is None:
            return np.zeros(len(ids), np.int64)
        if by == "day":
            times = memory.times[ids]
            return np.where(times == NO_TIME, -1, times // 86_400)
        column = {
            "session": memory.history.sessions,
            "source": memory.history.sources,
            "author": memory.history.authors,
        }[by]
        return column.codes[memory.first_records[ids]].astype(np.int64)

    def title(self, group: int, unit: int, question: Any) -> tuple[str, int]:
        """The title of a group and what it adds; ``unit`` is one of its units."""
        if self.section.group_by is None or not self.section.group:
            return "", 0
        template = compile_template(self.section.group)
        key = (group, str(question) if "question" in template.variables else "")
        if key not in self._titles:
            text = self.render(template, group=self._group_variable(group, unit), question=question)
            self._titles[key] = (text, int(self.added([text])[0]))
        return self._titles[key]

    def _group_variable(self, group: int, unit: int) -> Any:
        memory = self._memory
        row = int(memory.first_records[unit])
        history = memory.history
        if self.section.group_by == "day":
            known = history.times[row] != NO_TIME
            day = datetime.fromtimestamp(int(history.times[row]), UTC).date().isoformat() if known else ""
            return GroupName(day, Moment(int(history.times[row]) if known else None, day))
        column = {"session": history.sessions, "source": history.sources, "author": history.authors}[
            self.section.group_by or "session"
        ]
        if self.section.group_by == "session":
            row = int(np.argmax(column.codes == group))
        return GroupName(column.names[group], moment(memory, row))


class QuestionVariable(str):
    """A question's text, which knows when it was asked as ``question.as_of``."""

    __slots__ = ("as_of",)
    as_of: Moment

    @classmethod
    def of(cls, queries: Queries, q: int) -> QuestionVariable:
        """The variable of one question of a batch."""
        made = cls(queries.questions[q])
        seconds = int(queries.as_of[q])
        known = seconds != NO_TIME
        text = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat() if known else ""
        made.as_of = Moment(seconds if known else None, text)
        return made


class GroupName(str):
    """A group's name, which knows the time of its first record as ``group.time``."""

    __slots__ = ("time",)
    time: Moment

    def __new__(cls, name: str, time: Moment) -> Self:
        """A name with a time."""
        made = super().__new__(cls, name)
        made.time = time
        return made


def moment(memory: Memory, row: int) -> Moment:
    """The time of a record for templates."""
    seconds = int(memory.history.times[row])
    return Moment(None if seconds == NO_TIME else seconds, memory.history.time_texts[row])


def unit_variables(memory: Memory, unit: int, template: Template) -> SimpleNamespace:
    """What a template sees as ``unit``."""
    row = int(memory.first_records[unit])
    history = memory.history
    store = memory.stores[memory.source_of(unit)[0]]
    views = {v: store.texts(v)[unit - store.base] for v in store.views if v != RAW and v in template.source}
    return SimpleNamespace(
        text=store.units.texts[unit - store.base],
        time=moment(memory, row),
        author=history.authors[row],
        role=history.roles[row],
        session=history.sessions[row],
        source=history.sources[row],
        section=history.sections[row],
        id=history.ids[row],
        meta=history.meta.get(row, {}),
        **views,
    )


def item_table(section: Section, memory: Memory) -> ItemTable:
    """The table of a section, shared by every design with the same storage and the same templates."""
    key = content_key("items", memory.key, section.canonical(), memory.services.counter.name)
    return memory.services.cache.get(key, lambda: ItemTable(section, memory))
