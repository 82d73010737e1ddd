"""Exact nearest neighbours by embedding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.indexes.static_embeddings import unit_rows
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.retrieve.combine import Combine, combine
from designsearch.runtime.records import FloatArray, IntArray, Queries, Rankings


class DenseParams(Params):
    """Parameters of ``dense``."""

    view: str = param("raw", about="which text of a unit is searched", tune=True)
    store: str | None = param(None, about="which store is searched; the only one where there is one")
    k: int = param(200, ge=1, le=100_000, about="how many units are kept", tune=Tune(20, 1000, log=True))
    combine: Combine = param("sum", about="how several queries of one question become one ranking")


@operator("dense", "retrieve", DenseParams, scale="scaled")
def dense(params: DenseParams, queries: Queries, m: Memory) -> Rankings:
    """Rank units by the cosine between their vector and the query's, exactly.

    Reads questions, keywords and passages. With ``combine: sum`` the weighted vectors of all queries are averaged (the
    rule of HyDE, Gao et al. 2023). A text without content has no vector: it is never retrieved, and a question without
    content retrieves nothing.
    """
    store = m.store(params.store)
    index = store.vectors(params.view)
    owners = np.repeat(np.arange(len(queries)), np.array([len(own) for own in queries.queries], np.int64))
    flat = [query for own in queries.queries for query in own]
    vectors = m.services.embedder.embed([q.text for q in flat])
    if params.combine == "sum":
        weights = np.array([q.weight for q in flat], np.float32)
        return index.search(_average(vectors * weights[:, None], owners, len(queries)), params.k, store.base)
    found = index.search(vectors, params.k, store.base)
    lists: list[list[tuple[IntArray, FloatArray]]] = [[] for _ in range(len(queries))]
    for row, owner in enumerate(owners):
        lists[owner].append(found.of_question(row))
    return Rankings.of([combine(params.combine, own, params.k) for own in lists])


def _average(vectors: NDArray[np.float32], owners: IntArray, size: int) -> NDArray[np.float32]:
    """Unit vectors of the sums by owner, shape (size, dimensions); a zero row where the sum is zero."""
    total = np.zeros((size, vectors.shape[1]), np.float32)
    np.add.at(total, owners, vectors)
    return unit_rows(total)
