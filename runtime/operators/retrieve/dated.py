"""What happened at the time that a query names."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.offline.dates import local_day
from designsearch.runtime.question_dates import Period, question_periods
from designsearch.runtime.records import NO_TIME, FloatArray, IntArray, Queries, Ranked, Rankings

DAY = 86_400


class DatedParams(Params):
    """Parameters of ``dated``."""

    store: str | None = param(None, about="which store is searched; the only one where there is one")
    k: int = param(200, ge=1, le=100_000, about="how many units are kept", tune=Tune(20, 1000, log=True))
    margin: int = param(
        3, ge=0, le=366, about="days beside a period that still count, less with each", tune=Tune(0, 14)
    )


@operator("dated", "retrieve", DatedParams, scale="unscaled")
def dated(params: DatedParams, queries: Queries, m: Memory) -> Rankings:
    """Rank units by whether they are of a day or period that a query names, in English.

    A unit inside a period of d days scores 1 / sqrt(d), since a narrow one says more, and one up to ``margin`` days
    beside it less in a straight line; of several periods the highest counts, ties are in order of time. After
    ``before`` or ``after`` a date the side that is asked for counts as far as ``margin``. A query without a date, and
    a unit without a time, give nothing.
    """
    store = m.store(params.store)
    times = m.times[store.base : store.base + len(store)]
    days = np.where(times == NO_TIME, NO_TIME, times // DAY)
    rows: list[Ranked] = []
    for own, as_of in zip(queries.queries, queries.as_of.tolist(), strict=True):
        base = local_day(m.last_time if as_of == NO_TIME else as_of)
        periods = [period for query in own for period in question_periods(query.text, base)]
        rows.append(_best(days, times, periods, params))
    found = Rankings.of(rows)
    return Rankings(found.offsets, found.ids + store.base, found.scores)


def _best(days: IntArray, times: IntArray, periods: list[Period], params: DatedParams) -> tuple[IntArray, FloatArray]:
    scores = np.max([_scores(days, period, params.margin) for period in periods], axis=0, initial=0.0) * (
        days != NO_TIME
    )
    scores = np.broadcast_to(scores, days.shape)
    ids = np.flatnonzero(scores > 0)
    ids = ids[np.lexsort((ids, times[ids], -scores[ids]))][: params.k]
    return ids, scores[ids]


def _scores(days: IntArray, period: Period, margin: int) -> FloatArray:
    """Shape (units,): how well each day fits a period."""
    known = np.where(days == NO_TIME, 0, days)
    before, after = period.first - known, known - period.last
    if period.relation == "during":
        beside = np.maximum(0, np.maximum(before, after))
    else:
        outside = after if period.relation == "before" else before
        edge = -outside
        beside = np.where(outside > 0, margin + 1, np.maximum(0, edge))
    return np.asarray(np.maximum(0.0, 1.0 - beside / (margin + 1)) / period.days**0.5, np.float64)
