"""Features that carry over what the stages before have found."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import FloatArray, Queries, Rankings

KAPPA = 60.0


@operator("score", "feature")
def score(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """The score that the candidate came with."""
    return ranking.scores.copy()


@operator("rank", "feature")
def rank(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 / (60 + rank) of the candidate as it came."""
    return 1.0 / (KAPPA + ranking.ranks.astype(np.float64))
