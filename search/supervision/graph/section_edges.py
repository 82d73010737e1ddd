"""Edges between adjacent sections of a document."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.records import IntArray
from designsearch.search.supervision.graph.edges import Edges, within_groups


def section_edges(documents: IntArray) -> Edges:
    """Connect each section with the one that follows it.

    Args:
        documents: shape (records,): the document of each record, -1 for none.
    """
    rows = np.flatnonzero(documents >= 0)
    order = rows[np.argsort(documents[rows], kind="stable")]
    first, second, _ = within_groups(documents[order], 1)
    return Edges.of(order[first], order[second], 1.0)
