"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.fuse.merge import merge, weights_of
from designsearch.runtime.records import Rankings


class RrfParams(Params):
    """Parameters of ``rrf``."""

    kappa: float = param(
        60.0, ge=0.0, le=10_000.0, about="how little the first ranks stand out", tune=Tune(1, 200, log=True)
    )
    weights: tuple[float, ...] | None = param(None, about="one weight a ranking, in order; equal where not given")


@operator("rrf", "fuse", RrfParams, scale="unscaled")
def rrf(params: RrfParams, rankings: Sequence[Rankings], m: Memory) -> Rankings:
    """Fuse rankings by the sum of ``weight / (kappa + rank)``, ranks from 1 (Cormack, Clarke and Buettcher 2009).

    A unit that a ranking lacks gets nothing from it; ties break by id.
    """
    weights = weights_of(params.weights, rankings, "rrf")
    return merge(
        rankings, [w / (params.kappa + r.ranks.astype(np.float64)) for w, r in zip(weights, rankings, strict=True)]
    )
