"""The items of a context section for one question: those that read it, and those of which a policy noted a part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from designsearch.dsl.templates import Template
from designsearch.runtime.context_lengths import BlockLengths
from designsearch.runtime.context_rendering import item_text
from designsearch.runtime.context_variables import QuestionVariable
from designsearch.runtime.excerpts import Excerpts
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import IntArray


class Items(Protocol):
    """The items of a section for one question."""

    def costs(self, ids: IntArray, room: int) -> IntArray:
        """What each unit's item adds to a text, shape (ids,); 0 for an empty item.

        An item that is surely longer than ``room`` is not counted; it gets a lower bound above ``room``.
        """
        ...

    def text(self, unit: int) -> str:
        """The item of a unit whose cost was asked for."""
        ...


class QuestionItems:
    """Items that depend on the question."""

    def __init__(
        self,
        template: Template,
        memory: Memory,
        lengths: BlockLengths,
        question: QuestionVariable,
        excerpts: Excerpts,
    ) -> None:
        self._template = template
        self._memory = memory
        self._lengths = lengths
        self._question = question
        self._excerpts = excerpts
        self._texts: dict[int, str] = {}

    def costs(self, ids: IntArray, room: int) -> IntArray:
        """See ``Items``."""
        texts = [self._item(unit) for unit in ids.tolist()]
        self._texts.update(zip(ids.tolist(), texts, strict=True))
        costs = np.array([self._memory.services.counter.at_least(text) for text in texts], np.int64)
        few = np.flatnonzero(costs <= room)
        costs[few] = self._lengths.added([texts[i] for i in few.tolist()])
        return costs

    def _item(self, unit: int) -> str:
        return item_text(self._template, self._memory, unit, self._question, self._excerpts.get(unit))

    def text(self, unit: int) -> str:
        """See ``Items``."""
        return self._texts[unit]


class NotedItems:
    """Items of which some depend on what a policy noted of them for the question.

    Args:
        shared: those that do not.
        noted: those that do.
        units: global ids of the units with an excerpt.
    """

    def __init__(self, shared: Items, noted: Items, units: Iterable[int]) -> None:
        self._shared = shared
        self._noted = noted
        self._units = frozenset(units)
        self._ids = np.array(sorted(self._units), np.int64)

    def costs(self, ids: IntArray, room: int) -> IntArray:
        """See ``Items``."""
        noted = np.isin(ids, self._ids)
        costs = np.zeros(len(ids), np.int64)
        costs[~noted] = self._shared.costs(ids[~noted], room)
        costs[noted] = self._noted.costs(ids[noted], room)
        return costs

    def text(self, unit: int) -> str:
        """See ``Items``."""
        return self._noted.text(unit) if unit in self._units else self._shared.text(unit)
