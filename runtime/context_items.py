"""The rendered items and group titles of one context section, with their lengths; rendered once, used by all questions.

What depends on the question is rendered for each question anew (``context_question_items.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.dsl.design import Section
from designsearch.dsl.templates import Template, compile_template
from designsearch.runtime.cache import content_key
from designsearch.runtime.context_lengths import BlockLengths
from designsearch.runtime.context_question_items import Items, NotedItems, QuestionItems
from designsearch.runtime.context_rendering import item_text, render
from designsearch.runtime.context_variables import QuestionVariable, group_variable
from designsearch.runtime.excerpts import Excerpts
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import IntArray, Rankings

CHARACTERS_PER_TOKEN = 4
"""Roughly; only decides what is counted ahead in one batch."""

SAMPLE = 7
"""Every so many units are looked at to see how long units are."""


class SharedItems:
    """Items that are the same for every question, by global unit id."""

    def __init__(self, template: Template, memory: Memory, lengths: BlockLengths) -> None:
        self._template = template
        self._memory = memory
        self._lengths = lengths
        self._texts = [""] * memory.size
        self._least = np.full(memory.size, -1, np.int64)
        self._costs = np.full(memory.size, -1, np.int64)

    @property
    def nbytes(self) -> int:
        """Bytes that it may come to hold, roughly."""
        return (
            sum(2 * len(text) for store in self._memory.stores.values() for text in store.units.texts)
            + self._costs.nbytes
        )

    def costs(self, ids: IntArray, room: int) -> IntArray:
        """See ``Items``."""
        least = self._least[ids]
        if (least < 0).any():
            self._render(ids[least < 0])
            least = self._least[ids]
        costs = self._costs[ids]
        missing = costs < 0
        if missing.any():
            self._count(ids[missing & (least <= room)])
            costs = self._costs[ids]
            return np.where(costs < 0, least, costs)
        return costs

    def text(self, unit: int) -> str:
        """See ``Items``."""
        return self._texts[unit]

    def _render(self, ids: IntArray) -> None:
        for unit in ids.tolist():
            self._texts[unit] = item_text(self._template, self._memory, unit, None)
            self._least[unit] = self._memory.services.counter.at_least(self._texts[unit])

    def _count(self, ids: IntArray) -> None:
        if len(ids):
            self._costs[ids] = self._lengths.added([self._texts[unit] for unit in ids.tolist()])


def shared_items(section: Section, memory: Memory, lengths: BlockLengths) -> SharedItems:
    """The items of a template, shared by every design with the same storage, however it groups and orders them."""
    counter = memory.services.counter.name
    key = content_key("shared-items", memory.key, memory.history.fingerprint, section.item, section.separator, counter)
    return memory.services.cache.get(key, lambda: SharedItems(compile_template(section.item), memory, lengths))


class ItemTable:
    """What one section shows of a memory, whatever is chosen and in whichever order it stands.

    Attributes:
        lengths: of its blocks.
    """

    def __init__(self, section: Section, memory: Memory) -> None:
        self.lengths = BlockLengths(memory.services.counter, section.separator)
        self._memory = memory
        self._by = section.group_by
        self._item = compile_template(section.item)
        self._group = compile_template(section.group) if section.group_by and section.group else None
        self._titles: dict[int, str] = {}
        by_question = "question" in self._item.variables
        self._shared = None if by_question else shared_items(section, memory, self.lengths)

    @property
    def nbytes(self) -> int:
        """Bytes that it may come to hold, roughly."""
        return 16 * self._memory.size + sum(len(text) for text in self._sample()) * SAMPLE

    def items(self, question: QuestionVariable, excerpts: Excerpts) -> Items:
        """The items for a question; of the units with an excerpt that is shown."""
        if self._shared is not None and not excerpts:
            return self._shared
        own = QuestionItems(self._item, self._memory, self.lengths, question, excerpts)
        return own if self._shared is None else NotedItems(self._shared, own, excerpts)

    def prepare(self, rankings: Rankings, budget: int) -> None:
        """Render and count in one batch what most likely enters: the first ranks, up to a budget of average units."""
        if self._shared is None or not len(rankings.ids):
            return
        sample = self._sample()
        average = sum(len(text) for text in sample) / max(1, len(sample)) / CHARACTERS_PER_TOKEN + 2
        self._shared.costs(np.unique(rankings.ids[rankings.ranks <= budget / average]), budget)

    def _sample(self) -> Sequence[str]:
        return [text for store in self._memory.stores.values() for text in store.units.texts[::SAMPLE]]

    @property
    def has_titles(self) -> bool:
        """Whether groups have titles."""
        return self._group is not None

    def title(self, group: int, question: QuestionVariable) -> str:
        """The title of a group; empty where groups have none."""
        if self._group is None or self._by is None:
            return ""
        if "question" in self._group.variables:
            named = group_variable(self._memory, self._by, group)
            return render(self._group, self._memory, group=named, question=question)
        if group not in self._titles:
            self._titles[group] = render(self._group, self._memory, group=group_variable(self._memory, self._by, group))
        return self._titles[group]


def item_table(section: Section, memory: Memory) -> ItemTable:
    """The table of a section, shared by every design with the same storage and the same templates for it."""
    templates = [section.item, section.separator, section.group_by, section.group]
    key = content_key("items", memory.key, templates)
    return memory.services.cache.get(key, lambda: ItemTable(section, memory))
