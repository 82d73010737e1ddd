"""Edges that a history states itself: replies, references, and names that two records share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from designsearch.runtime.records import FloatArray, History, IntArray
from designsearch.search.supervision.graph.edges import Edges, within_groups
from designsearch.search.supervision.graph.mentions import Mentions

NEAREST = 8
"""References of a record that count, the last ones: a mail in a long thread lists everything before it."""


@dataclass(frozen=True)
class References:
    """What is stated, and what states it.

    Attributes:
        edges: replies, references and shared names.
        names: the names (see :mod:`.mentions`) that link records, each with the number of records that share it.
    """

    edges: Edges
    names: dict[str, int]


def reference_edges(history: History, mentions: Mentions, holders: int) -> References:
    """Connect records by what they state about each other.

    Args:
        history: the records.
        mentions: reads their names.
        holders: a name that more records share links nothing.

    Returns:
        Edges of weight 1 for a reply, a reference and a name that one of two records bears; of 1 / records for a name
        that records only mention.
    """
    ends, others = explicit(history)
    shared = _shared(history, mentions, holders)
    weights = np.concatenate([np.ones(len(ends)), shared.weights])
    edges = Edges.of(np.concatenate([ends, shared.ends]), np.concatenate([others, shared.others]), weights)
    return References(edges, shared.names)


def explicit(history: History) -> tuple[IntArray, IntArray]:
    """Rows that name another record's id as what they reply or refer to, and the rows of those; shapes (pairs,)."""
    known = history.row
    pairs = [(row, known[target]) for row, target in enumerate(history.reply_to) if target in known]
    for row, targets in sorted(history.refs.items()):
        pairs += [(row, known[target]) for target in [t for t in targets if t in known][-NEAREST:]]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


@dataclass(frozen=True)
class _Shared:
    ends: IntArray
    others: IntArray
    weights: FloatArray
    names: dict[str, int]


def _shared(history: History, mentions: Mentions, holders: int) -> _Shared:
    """Pairs of records that share a name."""
    numbers: dict[str, int] = {}
    names: list[int] = []
    rows: list[int] = []
    for row in range(len(history)):
        own = [numbers.setdefault(name, len(numbers)) for name in mentions.mentioned(row)]
        names += own
        rows += [row] * len(own)
    mentioned = len(names)
    for name, number in numbers.items():
        bearers = mentions.bearers(name)
        names += [number] * len(bearers)
        rows += bearers
    pairs = np.array([names, rows], np.int64).T
    bears = np.arange(len(names)) >= mentioned
    order = np.lexsort((~bears, pairs[:, 1], pairs[:, 0]))
    pairs, bears = pairs[order], bears[order]
    first = np.ones(len(pairs), bool)
    first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    pairs, bears = pairs[first], bears[first]
    sizes = np.bincount(pairs[:, 0], minlength=len(numbers))
    linking = (sizes >= 2) & (sizes <= holders)
    kept = linking[pairs[:, 0]]
    pairs, bears = pairs[kept], bears[kept]
    one, two, _ = within_groups(pairs[:, 0], holders)
    weights = np.where(bears[one] | bears[two], 1.0, 1.0 / np.maximum(1, sizes[pairs[one, 0]]))
    linked = {name: int(sizes[number]) for name, number in numbers.items() if linking[number]}
    return _Shared(pairs[one, 1], pairs[two, 1], weights, linked)
