"""Which records of a history belong together, and why: the graph that material for questions is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History, IntArray


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
    """

    starts: IntArray
    targets: IntArray
    kinds: NDArray[np.uint8]
    weights: NDArray[np.float32]
    informative: Mapping[str, int]

    def __len__(self) -> int:
        """Number of records."""
        return len(self.starts) - 1

    def neighbors(self, row: int) -> tuple[IntArray, NDArray[np.uint8], NDArray[np.float32]]:
        """Rows, kinds and weights of the neighbours of one record."""
        span = slice(self.starts[row], self.starts[row + 1])
        return self.targets[span], self.kinds[span], self.weights[span]


def build_graph(history: History) -> RecordGraph:
    """Connect the records of a history."""
    raise NotImplementedError
