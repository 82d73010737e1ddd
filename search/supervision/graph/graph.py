"""Which records of a history belong together, and why: the graph that material for questions is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History, IntArray
from designsearch.search.supervision.graph.documents import document_numbers
from designsearch.search.supervision.graph.edges import Edges
from designsearch.search.supervision.graph.lexical_edges import informative_words, lexical_edges
from designsearch.search.supervision.graph.mentions import Mentions
from designsearch.search.supervision.graph.reference_edges import reference_edges
from designsearch.search.supervision.graph.section_edges import section_edges
from designsearch.search.supervision.graph.session_edges import session_edges


class EdgeKind(IntEnum):
    """Why two records are connected; the value is the code in :attr:`RecordGraph.kinds`."""

    SESSION = 0
    SECTION = 1
    REFERENCE = 2
    LEXICAL = 3

    @property
    def label(self) -> str:
        """The kind in one lower-case word."""
        return self.name.lower()


@dataclass(frozen=True)
class RecordGraph:
    """Records and their neighbours, as one ragged array over the rows of a history.

    The neighbours of row ``r`` stand at ``starts[r]:starts[r + 1]``, by kind, then falling weight, then row. An edge
    stands at both of its ends; no row is its own neighbour; a pair may be connected by several kinds, once by each.

    Attributes:
        starts: shape (records + 1,).
        targets: shape (2 * edges,), rows.
        kinds: shape (2 * edges,), codes of :class:`EdgeKind`.
        weights: shape (2 * edges,), above 0 and at most 1.
        informative: the stems that lexical edges are made of, each with the number of records that hold it.
        names: the names (see :mod:`.mentions`) that connect records, each with the number of records that share it.
    """

    starts: IntArray
    targets: IntArray
    kinds: NDArray[np.uint8]
    weights: NDArray[np.float32]
    informative: Mapping[str, int]
    names: Mapping[str, int]

    def __len__(self) -> int:
        """Number of records."""
        return len(self.starts) - 1

    def neighbors(self, row: int) -> tuple[IntArray, NDArray[np.uint8], NDArray[np.float32]]:
        """Rows, kinds and weights of the neighbours of one record."""
        span = slice(self.starts[row], self.starts[row + 1])
        return self.targets[span], self.kinds[span], self.weights[span]


def build_graph(history: History, *, window: int = 3, holders: int = 20) -> RecordGraph:
    """Connect the records of a history; the time grows with its text, not with the pairs of its records.

    Args:
        history: the records.
        window: records to each side that a record of a conversation is connected with.
        holders: a name (file, address, id) that more records share connects nothing.
    """
    documents = document_numbers(history)
    references = reference_edges(history, Mentions(history, documents), holders)
    informative = informative_words(history)
    edges = {
        EdgeKind.SESSION: session_edges(history, documents, window),
        EdgeKind.SECTION: section_edges(documents),
        EdgeKind.REFERENCE: references.edges,
        EdgeKind.LEXICAL: lexical_edges(informative),
    }
    return _graph(len(history), edges, informative.frequencies, references.names)


def _graph(
    size: int, edges: Mapping[EdgeKind, Edges], informative: Mapping[str, int], names: Mapping[str, int]
) -> RecordGraph:
    """Every edge at both of its ends, in order."""
    rows = np.concatenate([end for of_kind in edges.values() for end in (of_kind.low, of_kind.high)])
    targets = np.concatenate([end for of_kind in edges.values() for end in (of_kind.high, of_kind.low)])
    weights = np.concatenate([of_kind.weights for of_kind in edges.values() for _ in range(2)])
    kinds = np.repeat(np.array(list(edges), np.uint8), [2 * len(of_kind) for of_kind in edges.values()])
    order = np.lexsort((targets, -weights, rows * len(EdgeKind) + kinds))
    starts = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=size), out=starts[1:])
    return RecordGraph(starts, targets[order], kinds[order], weights[order], informative, names)
