"""Features that compare times: the dates in the question, and the moment of asking."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.offline.dates import local_day
from designsearch.runtime.operators.refine.features.base import per_question
from designsearch.runtime.question_dates import Period, question_periods
from designsearch.runtime.records import NO_TIME, FloatArray, IntArray, Queries, Rankings

DAY = 86_400
NEAR_DAYS = 3.0
ORDER_DAYS = 5.0
AGE_DAYS = 7.0


def _asked(queries: Queries, q: int, m: Memory) -> int:
    """When a question was asked, else the newest record."""
    asked = int(queries.as_of[q])
    return m.last_time if asked == NO_TIME else asked


def _by_period(
    ranking: Rankings, queries: Queries, m: Memory, value: Callable[[Period, IntArray], FloatArray]
) -> FloatArray:
    """The highest value over the periods that a question names; 0 without one, and for a unit without a time."""
    base = m.store(None).base
    days = np.where(m.times == NO_TIME, NO_TIME, m.times // DAY)

    def values(q: int, ids: IntArray) -> FloatArray:
        asked = local_day(_asked(queries, q, m))
        own = days[ids + base]
        found = [value(period, own) for period in question_periods(queries.questions[q], asked)]
        best = np.max(found, axis=0) if found else np.zeros(len(ids))
        return np.asarray(np.where(own == NO_TIME, 0.0, best), np.float64)

    return per_question(ranking, m, values)


def _inside(period: Period, days: IntArray) -> FloatArray:
    return ((days >= period.first) & (days <= period.last)).astype(np.float64)


def _distance(period: Period, days: IntArray) -> FloatArray:
    """Days between a unit and the period, 0 inside; far where the unit has no time."""
    known = np.where(days == NO_TIME, 0, days)
    return np.asarray(np.maximum(0, np.maximum(period.first - known, known - period.last)), np.float64)


@operator("day", "feature")
def day(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the unit is of a single day that the question names."""
    return _by_period(
        ranking, queries, m, lambda p, d: _inside(p, d) if p.days == 1 and p.relation == "during" else np.zeros(len(d))
    )


@operator("interval", "feature")
def interval(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 / sqrt(days) where the unit lies in a longer period that the question names: a narrow one says more."""
    return _by_period(
        ranking,
        queries,
        m,
        lambda p, d: _inside(p, d) / p.days**0.5 if p.days > 1 and p.relation == "during" else np.zeros(len(d)),
    )


@operator("near", "feature")
def near(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """exp(-days / 3) by the distance from the period that the question names; 0 inside it."""

    def value(period: Period, days: IntArray) -> FloatArray:
        if period.relation != "during":
            return np.zeros(len(days))
        return np.exp(-_distance(period, days) / NEAR_DAYS) * (1.0 - _inside(period, days))

    return _by_period(ranking, queries, m, value)


@operator("order", "feature")
def order(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """exp(-days / 5) on the side that "before" or "after" a date asks for; 0 on the other."""

    def value(period: Period, days: IntArray) -> FloatArray:
        if period.relation == "during":
            return np.zeros(len(days))
        right = days <= period.last if period.relation == "before" else days >= period.first
        edge = np.abs(
            np.where(days == NO_TIME, 0, days) - (period.last if period.relation == "before" else period.first)
        )
        return np.asarray(np.exp(-edge / ORDER_DAYS) * right, np.float64)

    return _by_period(ranking, queries, m, value)


@operator("age", "feature")
def age(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """-ln(1 + weeks between the unit and the question); 0 where either time is unknown, or the unit is later."""
    weeks, known = _weeks(ranking, queries, m)
    return np.where(known, -np.log1p(np.maximum(weeks, 0.0)), 0.0)


@operator("future", "feature")
def future(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the unit is later than the question was asked; 0 where either time is unknown."""
    weeks, known = _weeks(ranking, queries, m)
    return (known & (weeks < 0)).astype(np.float64)


def _weeks(
    ranking: Rankings, queries: Queries, m: Memory
) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    asked = np.repeat(queries.as_of, ranking.sizes)
    times = m.times[ranking.ids]
    known = (asked != NO_TIME) & (times != NO_TIME)
    return np.where(known, asked - times, 0) / (AGE_DAYS * DAY), known
