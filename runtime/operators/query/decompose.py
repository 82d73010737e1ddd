"""A question taken apart into simpler ones, by a model."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.query.written import with_written
from designsearch.runtime.records import Queries


class DecomposeParams(Params):
    """Parameters of ``decompose``."""

    most: int = param(3, ge=1, le=10, about="the most parts that a question is taken apart into", tune=Tune(2, 6))
    weight: float = param(1.0, gt=0.0, le=10.0, about="weight of each; the question has 1", tune=Tune(0.1, 2.0))


@operator("decompose", "query", DecomposeParams, needs_model=True)
def decompose(params: DecomposeParams, queries: Queries, m: Memory) -> Queries:
    """Search for the simpler questions that a question is made of too (least-to-most prompting, Zhou et al. 2022).

    Each of at most ``most`` parts becomes a query of the kind ``question``; a question that is simple already gains
    nothing. The question as it was asked stays. Where the model fails, a question is searched for as it is.
    """
    return with_written(queries, m, "memory/decompose", "question", (1, params.most), params.weight)
