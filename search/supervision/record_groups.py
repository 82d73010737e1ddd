"""Which records of a history cannot be told apart by a division into parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.lexical_tokens import words
from designsearch.runtime.records import History, IntArray
from designsearch.runtime.sessions import session_numbers
from designsearch.search.supervision.graph.documents import document_numbers
from designsearch.search.supervision.graph.reference_edges import explicit
from designsearch.search.supervision.near.sets import near_groups
from designsearch.search.supervision.near.word_sets import WordSets

ALIKE = 0.8
"""Jaccard index of the words of two records from which on they say nearly the same."""

FEWEST_WORDS = 5
"""A record with fewer words of content (``See you then!``) gives nothing away where it is repeated."""


def belonging(history: History) -> list[IntArray]:
    """Groupings of the records by conversation, by document and by reply or reference.

    Returns:
        Of each grouping shape (records,): equal numbers for records of one group.
    """
    rows = np.arange(len(history))
    ends, others = explicit(history)
    links = csr_array((np.ones(len(ends), np.int8), (ends, others)), shape=(len(rows), len(rows)))
    replies = connected_components(links, directed=False)[1].astype(np.int64)
    return [session_numbers(history, rows), _alone(document_numbers(history)), replies]


def repeating(history: History) -> IntArray:
    """Shape (records,): equal numbers for records that say nearly the same, by chains of such."""
    told = [text if _has_content(text) else "" for text in history.texts]
    sets = WordSets.of(told)
    groups = np.append(near_groups(sets, ALIKE), -1)
    return _alone(groups[sets.of_text])


def labels(size: int, groupings: Sequence[IntArray]) -> IntArray:
    """Shape (records,): equal numbers, from 0, for records that any of the groupings puts together, by chains.

    Args:
        size: number of records.
        groupings: each of shape (records,).
    """
    ends, others = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for grouping in groupings:
        _, first, inverse = np.unique(grouping, return_index=True, return_inverse=True)
        ends.append(np.arange(size))
        others.append(first[inverse])
    pairs = np.concatenate(ends), np.concatenate(others)
    links = csr_array((np.ones(len(pairs[0]), np.int8), pairs), shape=(size, size))
    numbers: IntArray = connected_components(links, directed=False)[1].astype(np.int64)
    return numbers


def _alone(numbers: IntArray) -> IntArray:
    """The same with a number of its own for each -1."""
    return np.where(numbers < 0, -1 - np.arange(len(numbers)), numbers)


def _has_content(text: str) -> bool:
    return len(set(words(text)) - ENGLISH) >= FEWEST_WORDS
