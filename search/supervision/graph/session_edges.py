"""Edges between records of one conversation that stand near each other."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.records import History, IntArray
from designsearch.runtime.sessions import session_numbers
from designsearch.search.supervision.graph.edges import Edges, within_groups


def session_edges(history: History, documents: IntArray, window: int) -> Edges:
    """Connect each record with the ``window`` before and after it in its session; the nearer, the heavier.

    Args:
        history: the records.
        documents: shape (records,): the document of each, -1 for none; sections of documents are no conversation.
        window: records to each side; the weight is 1 / distance.
    """
    rows = np.flatnonzero(documents < 0)
    numbers = session_numbers(history, rows)
    rows, numbers = rows[numbers >= 0], numbers[numbers >= 0]
    order = np.argsort(numbers, kind="stable")
    first, second, distance = within_groups(numbers[order], window)
    return Edges.of(rows[order[first]], rows[order[second]], 1.0 / distance)
