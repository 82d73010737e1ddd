"""Edges between records that share rare words.

The words of a record are its stems without function words and web addresses. *Informative* are those that at least two
records hold and no more than a cap, so that the work is linear: a word adds at most ``MOST_RECORDS`` candidates to a
record. Two records are alike by the Jaccard index of their informative words, ``shared / (own + other - shared)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from designsearch.runtime.indexes.lexical import tokenize
from designsearch.runtime.records import History, IntArray
from designsearch.search.supervision.graph.edges import Edges
from designsearch.search.supervision.graph.mentions import without_addresses

MOST_RECORDS = 50
"""A word that more records hold links nothing, however long the history."""

SHARE = 0.01
"""Nor one that more than this share of the records holds, ..."""

ALWAYS = 10
"""... unless they are no more than these."""

SHARED = 2
"""The fewest informative words that two linked records share."""

THRESHOLD = 0.1
"""The least Jaccard index of two linked records."""

DEGREE = 8
"""The most lexical edges of a record."""

WORK = 1 << 20
"""Candidates (a shared word of two records each) that are held at a time, a single record's aside."""


def most_records(records: int) -> int:
    """How many records an informative word may stand in, in a history of that many."""
    return min(MOST_RECORDS, max(ALWAYS, int(SHARE * records)))


@dataclass(frozen=True)
class InformativeWords:
    """Which informative words stand in which records.

    Attributes:
        records: shape (records, words), 1 where the record holds the word.
        words: the same transposed, the inverted index.
        frequencies: each word's stem with the number of records that hold it.
    """

    records: csr_array
    words: csr_array
    frequencies: dict[str, int]


def informative_words(history: History) -> InformativeWords:
    """The informative words of every record of a history."""
    corpus = tokenize([without_addresses(text) for text in history.texts], "english", "english")
    shape = (len(history), len(corpus.vocabulary))
    held = csr_array((np.ones(len(corpus.tokens), np.int32), corpus.tokens, corpus.offsets), shape=shape)
    held.sum_duplicates()
    sizes = np.bincount(held.indices, minlength=shape[1])
    kept = (sizes >= SHARED) & (sizes <= most_records(len(history)))
    entries = kept[held.indices]
    numbers = (np.cumsum(kept) - 1)[held.indices[entries]].astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(entries)])[held.indptr]
    records = csr_array((np.ones(len(numbers), np.int32), numbers, offsets), shape=(len(history), int(kept.sum())))
    names = (word for word, number in corpus.vocabulary.items() if kept[number])
    return InformativeWords(records, records.T.tocsr(), dict(zip(names, sizes[kept].tolist(), strict=True)))


def lexical_edges(informative: InformativeWords) -> Edges:
    """Connect records that are alike, at most ``DEGREE`` edges a record.

    Each record names the ``DEGREE`` others that are most like it (ties by row). The pairs named are taken by falling
    weight, ties by rows, where both records still have room.
    """
    none = np.zeros(0, np.int64)
    parts = [(none, none, np.zeros(0, np.float32)), *_nearest(informative)]
    rows, others, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    named = Edges.of(rows, others, weights)
    order = np.argsort(-named.weights, kind="stable")
    room = [DEGREE] * informative.records.shape[0]
    kept = []
    for place, low, high in zip(order.tolist(), named.low[order].tolist(), named.high[order].tolist(), strict=True):
        if room[low] and room[high]:
            room[low] -= 1
            room[high] -= 1
            kept.append(place)
    chosen = np.sort(np.array(kept, np.int64))
    return Edges(named.low[chosen], named.high[chosen], named.weights[chosen])


def _nearest(informative: InformativeWords) -> Iterator[tuple[IntArray, IntArray, NDArray[np.float32]]]:
    """Each record with the ones most like it, block by block: rows, other rows, Jaccard indexes."""
    records, words = informative.records, informative.words
    sizes = np.diff(records.indptr).astype(np.int64)
    work = np.concatenate([[0], np.cumsum(np.diff(words.indptr)[records.indices], dtype=np.int64)])[records.indptr]
    start = 0
    while start < len(sizes):
        stop = max(start + 1, int(np.searchsorted(work, work[start] + WORK, "right")) - 1)
        common = records[start:stop] @ words
        shared = common.data.astype(np.int64)
        rows = np.repeat(np.arange(start, stop), np.diff(common.indptr))
        others = common.indices.astype(np.int64)
        likeness = (shared / (sizes[rows] + sizes[others] - shared)).astype(np.float32)
        alike = (likeness >= np.float32(THRESHOLD)) & (shared >= SHARED) & (rows != others)
        yield _first_of_each(rows[alike], others[alike], likeness[alike])
        start = stop


def _first_of_each(
    rows: IntArray, others: IntArray, likeness: NDArray[np.float32]
) -> tuple[IntArray, IntArray, NDArray[np.float32]]:
    """The ``DEGREE`` best of each row, ties by row."""
    order = np.lexsort((others, -likeness, rows))
    rows, others, likeness = rows[order], others[order], likeness[order]
    first = np.ones(len(rows), bool)
    first[DEGREE:] = rows[DEGREE:] != rows[:-DEGREE]
    return rows[first], others[first], likeness[first]
