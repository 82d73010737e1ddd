"""Weighted sum of normalised scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from designsearch.dsl.operators import Params, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.fuse.merge import merge, weights_of
from designsearch.runtime.records import FloatArray, Rankings

Normalize = Literal["minmax", "zscore", "max", "none"]


class WeightedSumParams(Params):
    """Parameters of ``weighted_sum``."""

    weights: tuple[float, ...] | None = param(None, about="one weight a ranking, in order; equal where not given")
    normalize: Normalize = param("minmax", about="how each question's scores are made comparable", tune=True)


@operator("weighted_sum", "fuse", WeightedSumParams, scale="unscaled")
def weighted_sum(params: WeightedSumParams, rankings: Sequence[Rankings], m: Memory) -> Rankings:
    """Fuse rankings by the weighted sum of their normalised scores (CombSUM, Fox and Shaw 1994).

    A unit that a ranking lacks gets 0 from it, or what the ranking's last unit gets where that is less: being absent is
    never better than being last.
    """
    weights = weights_of(params.weights, rankings, "weighted_sum")
    scaled = [normalized(r, params.normalize) for r in rankings]
    # every ranking is lifted so that its last unit has at least 0, which is what an absent one gets
    floors = [_lowest(r, s) for r, s in zip(rankings, scaled, strict=True)]
    lifted = [s - np.repeat(f, r.sizes) for r, s, f in zip(rankings, scaled, floors, strict=True)]
    fused = merge(rankings, [w * s for w, s in zip(weights, lifted, strict=True)])
    if params.normalize != "none":
        return fused
    lowered = np.sum([w * f for w, f in zip(weights, floors, strict=True)], axis=0)
    return Rankings(fused.offsets, fused.ids, fused.scores + np.repeat(lowered, fused.sizes))


def normalized(ranking: Rankings, how: Normalize) -> FloatArray:
    """Scores made comparable within each question, shape (entries,).

    ``minmax``: (s - min) / (max - min); ``zscore``: (s - mean) / std; ``max``: s / max. A question whose scores are all
    equal gets 1 for ``minmax`` and 0 for ``zscore``.
    """
    scores = ranking.scores
    filled = np.flatnonzero(ranking.sizes > 0)
    if how == "none" or not len(filled):
        return scores.copy()
    starts = ranking.offsets[:-1][filled]
    repeat = ranking.sizes[filled]
    if how == "zscore":
        mean = np.add.reduceat(scores, starts) / repeat
        spread = np.sqrt(np.maximum(np.add.reduceat((scores - np.repeat(mean, repeat)) ** 2, starts) / repeat, 0.0))
        centred: FloatArray = (scores - np.repeat(mean, repeat)) / np.repeat(np.where(spread > 0, spread, 1.0), repeat)
        return centred
    top = np.maximum.reduceat(scores, starts)
    if how == "max":
        shares: FloatArray = scores / np.repeat(np.where(top > 0, top, 1.0), repeat)
        return shares
    low = np.minimum.reduceat(scores, starts)
    span = np.where(top > low, top - low, 1.0)
    flat = np.repeat(top <= low, repeat)
    return np.where(flat, 1.0, (scores - np.repeat(low, repeat)) / np.repeat(span, repeat))


def _lowest(ranking: Rankings, values: FloatArray) -> FloatArray:
    """Shape (questions,): the lowest value of each question, at most 0."""
    lowest = np.zeros(len(ranking))
    filled = np.flatnonzero(ranking.sizes > 0)
    if len(filled):
        lowest[filled] = np.minimum.reduceat(values, ranking.offsets[:-1][filled])
    return np.minimum(lowest, 0.0)
