"""Similar sets of words among many: pairs and groups of them."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from designsearch.runtime.records import FloatArray, IntArray
from designsearch.search.supervision.near_join import Join
from designsearch.search.supervision.word_sets import WordSets


def near_pairs(sets: WordSets, threshold: float) -> tuple[IntArray, IntArray, FloatArray]:
    """All pairs of distinct sets that are similar: the sets' numbers, the smaller first, and the Jaccard indexes.

    Raises:
        ValueError: the threshold is not above 0 and at most 1.
    """
    join = Join(sets, threshold)
    none = np.zeros(0, np.int64)
    pairs = (pair for buckets in join.bucket_pairs() for pair in join.pairs(*buckets))
    found = [(none, none, np.zeros(0)), *(join.similar(*pair) for pair in pairs)]
    low, high, similarity = (np.concatenate(column) for column in zip(*found, strict=True))
    _, first = np.unique(low * max(1, len(sets)) + high, return_index=True)
    return low[first], high[first], similarity[first]


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
    low, high, _ = join.similar(low[apart], high[apart])
    if len(low):
        links = csr_array((np.ones(len(low), np.int8), (label[low], label[high])), shape=(len(label), len(label)))
        label[:] = connected_components(links, directed=False)[1][label]
