"""The question in other words, written by a model."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.query.written import with_written
from designsearch.runtime.records import Queries


class MultiQueryParams(Params):
    """Parameters of ``multi_query``."""

    n: int = param(3, ge=1, le=10, about="how many other wordings are written", tune=Tune(1, 8))
    weight: float = param(1.0, gt=0.0, le=10.0, about="weight of each; the question has 1", tune=Tune(0.1, 2.0))


@operator("multi_query", "query", MultiQueryParams, needs_model=True)
def multi_query(params: MultiQueryParams, queries: Queries, m: Memory) -> Queries:
    """Search for the question in ``n`` other wordings too (multi-query retrieval; a fusion of them is RAG-Fusion).

    Each becomes a query of the kind ``question``, which every retriever reads; how a retriever makes one ranking of
    them is its ``combine``. The question as it was asked stays. Where the model fails, a question is searched for as
    it is.
    """
    return with_written(queries, m, "memory/multi_query", "question", (params.n, params.n), params.weight)
