"""Features of a candidate alone: its length, its place in the session, whether it asks, whether it holds a digit."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.features.base import per_unit
from designsearch.runtime.records import FloatArray, Queries, Rankings
from designsearch.runtime.unit_lengths import unit_lengths

_DIGIT = re.compile(r"\d")


def _texts(m: Memory) -> list[str]:
    return [text for store in m.stores.values() for text in store.units.texts]


@operator("length", "feature")
def length(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Natural logarithm of 1 + the unit's length in tokens."""
    return np.log1p(unit_lengths(m, ranking.ids)).astype(np.float64)


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
    order = m.session_order
    changed = _first_in_session(m)
    changed[1:] |= np.diff(m.times[order]) != 0
    breaks = np.zeros(m.size)
    breaks[order] = changed
    return breaks


def _first_in_session(m: Memory) -> NDArray[np.bool_]:
    """Shape (units,), in the order of ``m.session_order``: whether a unit is the first of its store and session."""
    order = m.session_order
    first = np.ones(m.size, bool)
    first[1:] = (np.diff(m.sessions[order]) != 0) | (np.diff(m.store_of(order)) != 0)
    return first


@operator("opening", "feature")
def opening(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the unit opens its session, or is the first of a new time within it."""
    return per_unit(ranking, m, _breaks(m))


@operator("position", "feature")
def position(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Natural logarithm of 1 + the number of units of the same session before it."""
    places = np.arange(m.size)
    before = np.zeros(m.size, np.int64)
    before[m.session_order] = places - np.maximum.accumulate(np.where(_first_in_session(m), places, 0))
    return per_unit(ranking, m, np.log1p(before))
