"""What the templates of a context see: the unit, the group that it stands in, and the question."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Self

import numpy as np

from designsearch.dsl.design import RAW, GroupBy
from designsearch.dsl.templates import Moment, Template
from designsearch.runtime.excerpts import Excerpt
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, Column, IntArray, Queries

DAY = 86_400
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  local wall-clock time has no zone


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
        text = (_EPOCH + timedelta(seconds=seconds)).isoformat() if known else ""
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


def note_variable(excerpt: Excerpt | None) -> SimpleNamespace:
    """What a template sees as ``note``: what a model wrote about a unit, where a policy noted it."""
    return SimpleNamespace(content=excerpt.content if excerpt is not None else "")


def unit_variables(memory: Memory, unit: int, template: Template, excerpt: Excerpt | None = None) -> SimpleNamespace:
    """What a template sees as ``unit``; of an excerpt its text, and the time, author and so on of its first record."""
    row = int(memory.first_records[unit]) if excerpt is None else excerpt.first
    history = memory.history
    store = memory.stores[memory.source_of(unit)[0]]
    views = {v: store.texts(v)[unit - store.base] for v in store.views if v != RAW and v in template.source}
    return SimpleNamespace(
        text=store.units.texts[unit - store.base] if excerpt is None else excerpt.text(history),
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


def group_codes(memory: Memory, by: GroupBy | None, rows: IntArray) -> IntArray:
    """The group of each unit, by the row of its first record that is shown.

    Returns:
        Shape (rows,); all 0 where nothing is grouped, ``NO_TIME`` for the one without a day.
    """
    if by is None:
        return np.zeros(len(rows), np.int64)
    if by == "day":
        times = memory.history.times[rows]
        return np.where(times == NO_TIME, NO_TIME, times // DAY)
    return _columns(memory)[by].codes[rows].astype(np.int64)


def group_variable(memory: Memory, by: GroupBy, group: int) -> GroupName:
    """What a template sees as ``group``; the time is that of the history's first record in it, for a day the day."""
    if by == "day":
        if group == NO_TIME:
            return GroupName("", Moment(None))
        day = (_EPOCH + timedelta(days=group)).date().isoformat()
        return GroupName(day, Moment(group * DAY, day))
    column = _columns(memory)[by]
    return GroupName(column.names[group], moment(memory, int(np.argmax(column.codes == group))))


def _columns(memory: Memory) -> dict[str, Column]:
    history = memory.history
    return {"session": history.sessions, "source": history.sources, "author": history.authors}
