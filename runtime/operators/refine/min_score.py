"""Drop what scores too low."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import Queries, Rankings


class MinScoreParams(Params):
    """Parameters of ``min_score``."""

    value: float = param(0.3, about="the lowest score that is kept", tune=Tune(0.0, 0.9))


@operator("min_score", "refine", MinScoreParams, needs_scale=True)
def min_score(params: MinScoreParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Keep units that score at least ``value``; only after a stage whose scores have a scale (cosines)."""
    return ranking.keep(ranking.scores >= params.value)
