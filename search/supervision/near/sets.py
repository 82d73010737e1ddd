"""Groups of similar sets of words among many."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from designsearch.runtime.records import IntArray
from designsearch.search.supervision.near.join import Join
from designsearch.search.supervision.near.word_sets import WordSets


def near_groups(sets: WordSets, threshold: float) -> IntArray:
    """Shape (sets,): equal numbers for sets that a chain of similar ones connects.

    A group of many is not compared pair by pair: what is connected already needs no comparison.

    Raises:
        ValueError: the threshold is not above 0 and at most 1.
    """
    join = Join(sets, threshold)
    label = np.arange(len(sets))
    for buckets in join.bucket_pairs():
        for low, high in join.stars(*buckets):
            _connect(label, join, low, high)
        for low, high in join.pairs(*join.apart(*buckets, label)):
            _connect(label, join, low, high)
    return label


def _connect(label: IntArray, join: Join, low: IntArray, high: IntArray) -> None:
    """Give those that are similar the same label."""
    apart = label[low] != label[high]
    low, high = join.similar(low[apart], high[apart])
    if len(low):
        links = csr_array((np.ones(len(low), np.int8), (label[low], label[high])), shape=(len(label), len(label)))
        label[:] = connected_components(links, directed=False)[1][label]
