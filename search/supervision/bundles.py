"""Material for one question: a few connected records, drawn by a short walk through the graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History
from designsearch.search.supervision.graph import EdgeKind, RecordGraph


@dataclass(frozen=True, slots=True)
class Step:
    """One hop of a walk.

    Attributes:
        source_row: a row that the walk had reached.
        target_row: the row that it went to.
        kind: of the edge between them.
        why: the edge's reason in a few words, such as ``replies to``.
    """

    source_row: int
    target_row: int
    kind: EdgeKind
    why: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """Connected records that one question may rest on.

    Attributes:
        ordinal: its number in the sequence of bundles, from 0.
        rows: the records in the order in which the walk reached them, the seed first.
        path: one step a record after the seed.
        tokens: of all its records together.
    """

    ordinal: int
    rows: tuple[int, ...]
    path: tuple[Step, ...]
    tokens: int


class Bundles:
    """A sequence of bundles that is the same for the same seed, whoever asks for which of them.

    Args:
        history: the records.
        graph: their connections.
        seed: of the whole sequence.
        budget_tokens: the most tokens that the records of a bundle have together.
        hops: the most steps of a walk.
        allowed: shape (records,): the rows that may be used; all where not given.
    """

    def __init__(
        self,
        history: History,
        graph: RecordGraph,
        *,
        seed: int,
        budget_tokens: int = 1500,
        hops: int = 3,
        allowed: NDArray[np.bool_] | None = None,
    ) -> None:
        raise NotImplementedError

    def bundle(self, ordinal: int) -> Bundle | None:
        """The bundle with that number; ``None`` where the history is used up before."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Bundle]:
        """All bundles, from the first on, until the history is used up."""
        raise NotImplementedError


def draw_bundles(
    history: History,
    graph: RecordGraph,
    *,
    seed: int,
    budget_tokens: int = 1500,
    hops: int = 3,
    allowed: NDArray[np.bool_] | None = None,
) -> Iterator[Bundle]:
    """The same sequence, lazily; see :class:`Bundles`."""
    return iter(Bundles(history, graph, seed=seed, budget_tokens=budget_tokens, hops=hops, allowed=allowed))
