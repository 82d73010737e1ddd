"""Bring in the units that are like a hit."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.design import RAW
from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.indexes.lexical import best
from designsearch.runtime.indexes.vectors import NOTHING
from designsearch.runtime.memory import Memory, Store
from designsearch.runtime.records import IntArray, Queries, Rankings

BLOCK = 256
"""Units whose neighbours are looked for at a time."""


class LinksParams(Params):
    """Parameters of ``links``."""

    view: str = param(RAW, about="which text of a unit is compared", tune=True)
    k: int = param(5, ge=1, le=1000, about="the most units that a hit is linked to", tune=Tune(1, 10))
    threshold: float = param(0.5, ge=-1, le=1, about="cosine from which two units are linked", tune=Tune(0.2, 0.9))
    top: int | None = param(10, ge=1, le=100_000, about="only the first hits bring theirs; all where none is given")


@operator("links", "refine", LinksParams)
def links(params: LinksParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Place the units that each of the first hits is linked to right after it, nearest first, with its score.

    A unit is linked to the ``k`` of its own store that are nearest to it by the cosine of their texts in ``view``,
    where that is at least ``threshold``. A unit that the ranking holds already, or that an earlier hit brought, is not
    placed twice: it keeps its best place.
    """
    bring = np.ones(len(ranking.ids), bool) if params.top is None else ranking.ranks <= params.top
    linked = _linked(np.unique(ranking.ids[bring]), params, m)
    none = np.zeros(0, np.int64)
    rows = [
        np.concatenate([[unit], linked[unit] if brings else none])
        for unit, brings in zip(ranking.ids.tolist(), bring.tolist(), strict=True)
    ]
    sizes = np.array([len(row) for row in rows], np.int64)
    flat = np.concatenate([none, *rows])
    owners, scores = np.repeat(ranking.owners, sizes), np.repeat(ranking.scores, sizes)
    return Rankings.first_of(len(ranking), owners, flat, scores)


def _linked(units: IntArray, params: LinksParams, m: Memory) -> dict[int, IntArray]:
    """Global id of a unit to those of the units that it is linked to, nearest first."""
    found: dict[int, IntArray] = {}
    of_store = m.store_of(units)
    for number, store in enumerate(m.stores.values()):
        own = units[of_store == number]
        if len(own):
            found |= _in_store(own, store, params)
    return found


def _in_store(units: IntArray, store: Store, params: LinksParams) -> dict[int, IntArray]:
    """The same within one store; a text without content is linked to nothing."""
    index = store.vectors(params.view)
    blank = np.abs(index.vectors).max(axis=1, initial=0.0) == 0
    found = {}
    for start in range(0, len(units), BLOCK):
        block = units[start : start + BLOCK] - store.base
        cosines = index.cosines(index.vectors[block])
        cosines[np.arange(len(block)), block] = NOTHING
        cosines[:, blank] = NOTHING
        cosines[blank[block]] = NOTHING
        for unit, row in zip(block.tolist(), cosines, strict=True):
            near, values = best(row, params.k, above=NOTHING)
            found[unit + store.base] = near[values >= params.threshold] + store.base
    return found
