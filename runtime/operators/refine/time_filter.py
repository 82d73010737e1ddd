"""Keep what happened within a span of time before the question, or between two dates."""

from __future__ import annotations

import numpy as np
from pydantic import model_validator

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, Queries, Rankings

DAY = 86_400


class TimeFilterParams(Params):
    """Parameters of ``time_filter``."""

    after: str | None = param(None, about="first date that is kept, as in 2024-03-01")
    before: str | None = param(None, about="first date that is no longer kept")
    last_days: float | None = param(
        None,
        gt=0,
        le=36_500,
        about="days before the question (else before the newest record)",
        tune=Tune(7, 730, log=True),
    )
    undated: bool = param(True, about="whether units without a time are kept", tune=True)

    @model_validator(mode="after")
    def _dates(self) -> TimeFilterParams:
        for name in ("after", "before"):
            text = getattr(self, name)
            if text is not None:
                parse_time(text)
        return self


@operator("time_filter", "refine", TimeFilterParams)
def time_filter(params: TimeFilterParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Keep units whose local time lies in the span that ``after``, ``before`` and ``last_days`` leave."""
    times = m.times[ranking.ids]
    known = times != NO_TIME
    inside = known.copy()
    if params.after is not None:
        inside &= times >= parse_time(params.after).local
    if params.before is not None:
        inside &= times < parse_time(params.before).local
    if params.last_days is not None:
        asked = np.where(queries.as_of == NO_TIME, m.last_time, queries.as_of)
        now = np.repeat(asked, ranking.sizes)
        inside &= (times >= now - int(params.last_days * DAY)) & (times <= now)
    return ranking.keep(inside | (~known & params.undated))
