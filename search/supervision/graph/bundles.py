"""Material for one question: a few connected records, drawn by a short walk through the graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History, IntArray
from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.supervision.graph.graph import EdgeKind, RecordGraph
from designsearch.search.supervision.graph.reasons import Reasons
from designsearch.search.supervision.graph.seeds import seed_order
from designsearch.search.supervision.graph.walks import Hop, Walks


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

    Walk ``n`` begins at the ``n``-th record of :func:`~.seeds.seed_order` (over and over) and its chance depends on the
    seed and ``n`` alone. A walk that ends with the records of an earlier one is no bundle. The history is used up when
    no record begins a new bundle in a whole round.

    Attributes:
        too_long: number of allowed records that are longer than the budget, which no bundle can hold.

    Args:
        history: the records.
        graph: their connections.
        seed: of the whole sequence, not negative.
        budget_tokens: the most tokens that the records of a bundle have together.
        hops: the most steps of a walk.
        allowed: shape (records,): the rows that may be used; all where not given.
        tokens: shape (records,): the length of each record; counted where not given.
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
        tokens: IntArray | None = None,
    ) -> None:
        lengths = BundledCounter().count_all(history.texts) if tokens is None else tokens
        free = np.array([bool(text.strip()) for text in history.texts], bool)
        free &= allowed if allowed is not None else True
        self.too_long = int((free & (lengths > budget_tokens)).sum())
        usable = free & (lengths <= budget_tokens)
        self._seed = seed
        self._seeds = seed_order(history, lengths, usable, seed).tolist()
        self._walks = Walks(history, graph, lengths, usable, budget_tokens, hops)
        self._reasons = Reasons(history, graph)
        self._tokens = lengths
        self._numbers: list[int] = []  # of the walks that made a bundle
        self._seen: set[tuple[int, ...]] = set()
        self._next = self._barren = 0

    def bundle(self, ordinal: int) -> Bundle | None:
        """The bundle with that number; ``None`` where the history is used up before."""
        while len(self._numbers) <= ordinal and self._barren < len(self._seeds):
            self._try_next()
        if ordinal >= len(self._numbers):
            return None
        hops = self._walk(self._numbers[ordinal])
        start = self._seeds[self._numbers[ordinal] % len(self._seeds)]
        path = tuple(Step(s, t, kind, self._reasons.why(s, t, kind)) for s, t, kind in hops)
        rows = (start, *(target for _, target, _ in hops))
        return Bundle(ordinal, rows, path, int(self._tokens[list(rows)].sum()))

    def __iter__(self) -> Iterator[Bundle]:
        """All bundles, from the first on, until the history is used up."""
        ordinal = 0
        while (found := self.bundle(ordinal)) is not None:
            yield found
            ordinal += 1

    def _try_next(self) -> None:
        number, self._next = self._next, self._next + 1
        rows = [self._seeds[number % len(self._seeds)], *(target for _, target, _ in self._walk(number))]
        key = tuple(sorted(rows))
        if key in self._seen:
            self._barren += 1
            return
        self._seen.add(key)
        self._numbers.append(number)
        self._barren = 0

    def _walk(self, number: int) -> list[Hop]:
        start = self._seeds[number % len(self._seeds)]
        return self._walks.walk(start, np.random.default_rng([self._seed, number]))
