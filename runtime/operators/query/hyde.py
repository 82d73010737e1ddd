"""Passages that might answer the question, written by a model."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.query.written import with_written
from designsearch.runtime.records import Queries


class HydeParams(Params):
    """Parameters of ``hyde``."""

    n: int = param(4, ge=1, le=10, about="how many passages are written", tune=Tune(1, 8))
    weight: float = param(1.0, gt=0.0, le=10.0, about="weight of each; the question has 1", tune=Tune(0.1, 2.0))


@operator("hyde", "query", HydeParams, needs_model=True)
def hyde(params: HydeParams, queries: Queries, m: Memory) -> Queries:
    """Search by ``n`` invented passages that read like the memory looked for (HyDE, Gao et al. 2022).

    Each becomes a query of the kind ``passage``. ``dense`` searches by (f(q) + sum of f(passage)) / (n + 1), the mean
    of the vectors of the question and its passages; ``bm25`` does not read passages, since their facts are made up.
    The passages come in one reply, told to differ, where the paper samples them one by one. Where the model fails, a
    question is searched for as it is.
    """
    return with_written(queries, m, "memory/hyde", "passage", (params.n, params.n), params.weight)
