"""Features of a candidate alone: its length, its place in the session, whether it asks, whether it holds a digit."""

from __future__ import annotations

import re

import numpy as np

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.features.base import per_unit
from designsearch.runtime.records import FloatArray, Queries, Rankings

_DIGIT = re.compile(r"\d")


def _texts(m: Memory) -> list[str]:
    return [text for store in m.stores.values() for text in store.units.texts]


@operator("length", "feature")
def length(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Natural logarithm of 1 + the unit's length in tokens."""
    key = f"unit-lengths-{m.key}-{m.services.counter.name}"
    counts = m.services.cache.get(key, lambda: m.services.counter.count_all(_texts(m)))
    return per_unit(ranking, m, np.log1p(counts))


@operator("question_mark", "feature")
def question_mark(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the unit ends with a question mark: it asks rather than tells."""
    key = f"unit-asks-{m.key}"
    ends = ("?", "？", "؟")
    asks = m.services.cache.get(key, lambda: np.array([t.rstrip().endswith(ends) for t in _texts(m)], np.float64))
    return per_unit(ranking, m, asks)


@operator("digits", "feature")
def digits(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the unit holds a digit."""
    key = f"unit-digits-{m.key}"
    has = m.services.cache.get(key, lambda: np.array([bool(_DIGIT.search(t)) for t in _texts(m)], np.float64))
    return per_unit(ranking, m, has)


def _breaks(m: Memory) -> FloatArray:
    """Shape (units,): 1 where a unit opens its session, or a new time within it."""
    if not m.size:
        return np.zeros(0)
    changed = (np.diff(m.sessions) != 0) | (np.diff(m.times) != 0) | (np.diff(m.store_of(np.arange(m.size))) != 0)
    return np.concatenate([[1.0], changed.astype(np.float64)])


@operator("opening", "feature")
def opening(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the unit opens its session, or is the first of a new time within it."""
    return per_unit(ranking, m, _breaks(m))


@operator("position", "feature")
def position(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Natural logarithm of 1 + the number of units of the same session just before it."""
    stores = m.store_of(np.arange(m.size))
    new = np.concatenate([[True], (np.diff(m.sessions) != 0) | (np.diff(stores) != 0)]) if m.size else np.zeros(0, bool)
    starts = np.maximum.accumulate(np.where(new, np.arange(m.size), 0))
    return per_unit(ranking, m, np.log1p(np.arange(m.size) - starts))
