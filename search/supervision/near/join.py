"""The join behind :mod:`.sets`: candidates by prefix, size and position, then exact comparison, on arrays.

The first words of all sets are put into *buckets* by word, size of the set and place in it. Two sets that are similar
share a first word (see :mod:`.seen`), and whether they can be depends on their buckets alone, so that a word of
a template, which thousands of texts hold at the same place, costs one comparison of buckets and not millions of texts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from designsearch.runtime.records import IntArray
from designsearch.search.supervision.near.word_sets import WordSets

SLACK = 1e-9
"""Rounds a bound down where a product of floats is a hair too high; similarities themselves are compared exactly."""

AT_ONCE = 1 << 20
"""Pairs, and words of pairs, that are held at a time."""


class Join:
    """Pairs of sets that may be similar, and which are.

    Args:
        sets: the sets.
        threshold: the least Jaccard index that counts.

    Raises:
        ValueError: the threshold is not above 0 and at most 1.
    """

    def __init__(self, sets: WordSets, threshold: float) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold: {threshold} is not above 0 and at most 1")
        self._words, self._threshold = sets.words, threshold
        self._sizes: IntArray = np.diff(sets.words.indptr).astype(np.int64)
        lengths = self._sizes - np.ceil(threshold * self._sizes - SLACK).astype(np.int64) + 1
        places = _ranges(np.zeros(len(lengths), np.int64), lengths)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        words = sets.words.indices[sets.words.indptr[owners] + places].astype(np.int64)
        order = np.lexsort((places, self._sizes[owners], words))
        self._members: IntArray = owners[order]
        columns = np.stack([words, self._sizes[owners], places])[:, order]
        begins = np.flatnonzero(np.diff(columns, axis=1, prepend=-1).any(axis=0))
        self._starts: IntArray = np.append(begins, len(order))
        self._bucket_words, self._bucket_sizes, self._bucket_places = columns[:, begins]

    def bucket_pairs(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Pairs of buckets that may hold similar sets whose first shared word is theirs; a bucket also with itself."""
        words, sizes = self._bucket_words, self._bucket_sizes
        scale = int(sizes.max(initial=0)) + 2
        most = np.minimum(np.floor(sizes / self._threshold + SLACK).astype(np.int64), scale - 1)
        first = np.arange(len(words))
        stop = np.searchsorted(words * scale + sizes, words * scale + most, "right")
        for one, two in _products(first, first, stop):
            enough = np.ceil(self._threshold / (1 + self._threshold) * (sizes[one] + sizes[two]) - SLACK)
            left = np.minimum(sizes[one] - self._bucket_places[one], sizes[two] - self._bucket_places[two])
            several = (one != two) | (np.diff(self._starts)[one] > 1)
            possible = (left >= enough) & several
            yield one[possible], two[possible]

    def pairs(self, one: IntArray, two: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
        """The pairs of sets of pairs of buckets, the smaller number first; shapes (pairs,)."""
        counts = np.diff(self._starts)[one]
        entries = _ranges(self._starts[one], counts)
        same, partner = np.repeat(one == two, counts), np.repeat(two, counts)
        starts = np.where(same, entries + 1, self._starts[partner])
        for left, right in _products(entries, starts, self._starts[partner + 1]):
            yield self._distinct(self._members[left], self._members[right])

    def stars(self, one: IntArray, two: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
        """Of the pairs of each pair of buckets those with the first set of either; as :meth:`pairs`."""
        for center, around in ((one, two), (two, one)):
            for left, right in _products(self._starts[center], self._starts[around], self._starts[around + 1]):
                yield self._distinct(self._members[left], self._members[right])

    def apart(self, one: IntArray, two: IntArray, label: IntArray) -> tuple[IntArray, IntArray]:
        """The pairs of buckets whose sets do not all have the same label."""
        if not len(one):
            return one, two
        own = label[self._members]
        least, most = (np.asarray(f.reduceat(own, self._starts[:-1])) for f in (np.minimum, np.maximum))
        several = np.minimum(least[one], least[two]) != np.maximum(most[one], most[two])
        return one[several], two[several]

    def similar(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Those pairs that reach the threshold."""
        ends = np.cumsum(self._sizes[low] + self._sizes[high])
        shared = np.zeros(len(low), np.int64)
        start = 0
        while start < len(low):
            before = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + AT_ONCE, "right")))
            both = self._words[low[start:stop]].multiply(self._words[high[start:stop]])
            shared[start:stop] = np.diff(both.tocsr().indptr)
            start = stop
        similarity = shared / np.maximum(1, self._sizes[low] + self._sizes[high] - shared)
        near = similarity >= self._threshold
        return low[near], high[near]

    def _distinct(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray]:
        """Each pair once, without loops."""
        count = len(self._sizes)
        keys = np.unique(np.minimum(left, right)[left != right] * count + np.maximum(left, right)[left != right])
        return keys // count, keys % count


def _ranges(starts: IntArray, counts: IntArray) -> IntArray:
    """The numbers from each start on, so many each, one after another."""
    offsets = np.cumsum(counts) - counts
    return np.repeat(starts - offsets, counts) + np.arange(int(counts.sum()))


def _products(left: IntArray, starts: IntArray, stops: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Each left number with every number of its range, so many at a time as memory allows."""
    counts = np.maximum(0, stops - starts)
    ends = np.cumsum(counts)
    start = 0
    while start < len(left):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + AT_ONCE, "right")))
        part = slice(start, stop)
        yield np.repeat(left[part], counts[part]), _ranges(starts[part], counts[part])
        start = stop
