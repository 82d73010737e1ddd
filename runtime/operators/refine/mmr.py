"""Maximal marginal relevance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.fuse.weighted_sum import normalized
from designsearch.runtime.records import FloatArray, IntArray, Queries, Ranked, Rankings


class MmrParams(Params):
    """Parameters of ``mmr``."""

    relevance: float = param(0.7, ge=0.0, le=1.0, about="weight of relevance against novelty", tune=Tune(0.3, 1.0))
    k: int = param(100, ge=1, le=2000, about="how many units are picked", tune=Tune(20, 300, log=True))


@operator("mmr", "refine", MmrParams, scale="unscaled")
def mmr(params: MmrParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Pick units one by one, each the best of ``relevance * score - (1 - relevance) * nearest`` (Carbonell 1998).

    Scores are scaled to [0, 1] within each question; ``nearest`` is the highest cosine to a unit picked before. The
    first pick is the best ranked. The score left behind is the value at which a unit was picked.
    """
    vectors = np.concatenate([store.vectors("raw").vectors for store in m.stores.values()])
    relevance = normalized(ranking, "minmax")
    rows: list[Ranked] = []
    for q in range(len(ranking)):
        span = slice(int(ranking.offsets[q]), int(ranking.offsets[q + 1]))
        rows.append(_pick(ranking.ids[span], relevance[span], vectors, params))
    return Rankings.of(rows)


def _pick(
    ids: IntArray, relevance: FloatArray, vectors: NDArray[np.float32], params: MmrParams
) -> tuple[IntArray, FloatArray]:
    own = vectors[ids].astype(np.float64)
    nearest = np.zeros(len(ids), np.float32)
    open_ = np.ones(len(ids), bool)
    picked, values = [], []
    for _ in range(min(params.k, len(ids))):
        value = np.where(open_, params.relevance * relevance - (1 - params.relevance) * nearest, -np.inf)
        best = int(value.argmax())
        picked.append(best)
        values.append(float(value[best]))
        open_[best] = False
        # rounded, so that equal texts are equally near
        np.maximum(nearest, (own @ own[best]).astype(np.float32), out=nearest)
    return ids[np.array(picked, np.int64)], np.array(values)
