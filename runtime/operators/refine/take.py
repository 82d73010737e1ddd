"""Keep the best."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import Queries, Rankings


class TakeParams(Params):
    """Parameters of ``take``."""

    k: int = param(50, ge=1, le=100_000, about="how many units are kept", tune=Tune(5, 500, log=True))


@operator("take", "refine", TakeParams)
def take(params: TakeParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Keep the first ``k`` units of each question."""
    return ranking.keep(ranking.ranks <= params.k)
