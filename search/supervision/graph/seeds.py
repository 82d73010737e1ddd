"""In which order records are taken as the beginnings of bundles: spread over sources, time and sessions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History, IntArray

FEWEST_TOKENS = 16
"""A record with fewer says too little to begin with; it comes after all others."""

FEWEST_BINS = 6
"""Months are the bins of time where there are so many of them, else weeks, else days."""


def seed_order(history: History, tokens: IntArray, usable: NDArray[np.bool_], seed: int) -> IntArray:
    """The usable rows, in turns over source and time, and within these over sessions; otherwise by chance.

    Args:
        history: the records.
        tokens: shape (records,): the length of each.
        usable: shape (records,): which may begin a bundle.
        seed: of the chance.
    """
    rows = np.random.default_rng([seed]).permutation(np.flatnonzero(usable))
    poor = (tokens[rows] < FEWEST_TOKENS).astype(np.int64)
    sources = history.sources.codes[rows].astype(np.int64)
    strata = _numbered(poor, sources, _bins(history.times[rows]))
    sessions = _numbered(strata, history.sessions.codes[rows].astype(np.int64))
    in_session = _turns(sessions, np.arange(len(rows)))
    order = np.lexsort((in_session, strata))
    in_stratum = np.empty(len(rows), np.int64)
    in_stratum[order] = _turns(strata[order], np.arange(len(rows)))
    # every round takes one of each stratum; the rows are shuffled, so first appearance is an order by chance
    return rows[np.lexsort((strata, in_stratum, poor))]


def _bins(times: IntArray) -> IntArray:
    """Shape (rows,): the bin of time of each; a bin of its own for an unknown time."""
    moments = times.astype("datetime64[s]")
    for unit in ("M", "W", "D"):
        bins: IntArray = moments.astype(f"datetime64[{unit}]").astype(np.int64)
        if len(np.unique(bins)) >= FEWEST_BINS:
            break
    return bins


def _numbered(*columns: IntArray) -> IntArray:
    """Shape (rows,): one number for equal rows of the columns, in order of first appearance."""
    _, first, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return place[inverse.reshape(-1)]


def _turns(groups: IntArray, order: IntArray) -> IntArray:
    """Shape (rows,): how many rows of the same group come before, in that order."""
    sorted_rows = np.lexsort((order, groups))
    sorted_groups = groups[sorted_rows]
    begins = np.flatnonzero(np.diff(sorted_groups, prepend=-1))
    turns = np.empty(len(groups), np.int64)
    sizes = np.diff(np.append(begins, len(groups)))
    turns[sorted_rows] = np.arange(len(groups)) - np.repeat(begins, sizes)
    return turns
