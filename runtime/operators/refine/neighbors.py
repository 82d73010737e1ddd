"""Bring in the units that stand beside a hit."""

from __future__ import annotations

from typing import Literal

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import IntArray, Queries, Rankings


class NeighborsParams(Params):
    """Parameters of ``neighbors``."""

    before: int = param(1, ge=0, le=50, about="how many units before a hit", tune=Tune(0, 5))
    after: int = param(1, ge=0, le=50, about="how many units after a hit", tune=Tune(0, 5))
    within: Literal["session", "store"] = param("session", about="how far a neighbour may be", tune=True)
    top: int | None = param(None, ge=1, le=100_000, about="only the first hits bring theirs; all where not given")


@operator("neighbors", "refine", NeighborsParams)
def neighbors(params: NeighborsParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Place the units just before and after each hit right after it, nearest first, with its score.

    Within a session they are those just before and after it there; a unit without a session has no neighbours.
    A unit that the ranking holds already, or that an earlier hit brought, is not placed twice: it keeps its best place.
    """
    steps = _steps(params.before, params.after)
    ids, valid = _beside(ranking.ids, steps, params.within, m)
    if params.top is not None:
        valid[:, 1:] &= (ranking.ranks <= params.top)[:, None]
    owners = np.repeat(ranking.owners, len(steps))
    scores = np.repeat(ranking.scores, len(steps))
    flat, keep = ids.ravel(), valid.ravel()
    owners, flat, scores = owners[keep], flat[keep], scores[keep]
    return Rankings.first_of(len(ranking), owners, flat, scores)


def _steps(before: int, after: int) -> IntArray:
    """0 first, then the distances in order of nearness, the earlier one first."""
    near = sorted([*range(-before, 0), *range(1, after + 1)], key=lambda d: (abs(d), d))
    return np.array([0, *near], np.int64)


def _beside(
    ids: IntArray, steps: IntArray, within: str, m: Memory
) -> tuple[IntArray, np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    """Shape (entries, steps): neighbouring ids, and whether each exists in the same store (and session)."""
    # sessions may run side by side, so that the next unit of a session need not be the next of the store
    order = m.session_order if within == "session" else np.arange(m.size)
    place = np.empty(m.size, np.int64)
    place[order] = np.arange(m.size)
    wanted = place[ids][:, None] + steps[None, :]
    inside = (wanted >= 0) & (wanted < m.size)
    safe = np.where(inside, order[np.where(inside, wanted, 0)], ids[:, None]) if m.size else wanted
    same = inside & (m.store_of(safe) == m.store_of(ids)[:, None])
    if within == "session":
        same &= m.sessions[safe] == m.sessions[ids][:, None]
    return safe, same
