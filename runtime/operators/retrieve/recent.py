"""The newest units."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import NO_TIME, Queries, Rankings


class RecentParams(Params):
    """Parameters of ``recent``."""

    store: str | None = param(None, about="which store is searched; the only one where there is one")
    k: int = param(50, ge=1, le=100_000, about="how many units are kept", tune=Tune(5, 500, log=True))


@operator("recent", "retrieve", RecentParams, scale="unscaled")
def recent(params: RecentParams, queries: Queries, m: Memory) -> Rankings:
    """Rank units by time, newest first, whatever the question; units without a time come last.

    The score is ``1 / rank``. Among units of one time the later in the history comes first.
    """
    store = m.store(params.store)
    times = m.times[store.base : store.base + len(store)]
    order = np.lexsort((np.arange(len(times)), times, times != NO_TIME))[::-1][: params.k].astype(np.int64)
    scores = 1.0 / np.arange(1, len(order) + 1)
    return Rankings.of([(order + store.base, scores)] * len(queries))
