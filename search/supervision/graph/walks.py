"""Short walks from record to record that collect what fits a budget."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.lexical_tokens import words
from designsearch.runtime.records import History, IntArray
from designsearch.search.supervision.graph.graph import EdgeKind, RecordGraph

ALIKE = 0.8
"""Jaccard index of the words of two records from which on they say the same; a walk takes one of them."""


class Hop(NamedTuple):
    """From a row that was reached to a new one."""

    source: int
    target: int
    kind: EdgeKind


class _Options(NamedTuple):
    targets: IntArray
    kinds: NDArray[np.uint8]
    weights: NDArray[np.float32]


class Walks:
    """Walks without revisits through one graph.

    Args:
        history: the records.
        graph: their connections.
        tokens: shape (records,): the length of each.
        usable: shape (records,): the rows that a walk may reach.
        budget: the most tokens of a walk's records.
        hops: the most hops of a walk.
    """

    def __init__(
        self, history: History, graph: RecordGraph, tokens: IntArray, usable: NDArray[np.bool_], budget: int, hops: int
    ) -> None:
        self._texts = history.texts
        number: dict[str, int] = {}
        self._distinct: IntArray = np.array([number.setdefault(text, len(number)) for text in history.texts], np.int64)
        self._graph = graph
        self._tokens = tokens
        self._usable = usable
        self._budget = budget
        self._hops = hops

    def walk(self, start: int, chance: np.random.Generator) -> list[Hop]:
        """The hops of one walk.

        A kind of edge that was used less comes first, among equals one at the record that was reached last, then one
        by chance; of the edges of that kind one by chance, in proportion to its weight.
        """
        path: list[Hop] = []
        reached, used = [start], Counter[int]()
        left = self._budget - int(self._tokens[start])
        while len(path) < self._hops:
            hop = self._hop(reached, used, left, chance)
            if hop is None:
                break
            path.append(hop)
            reached.append(hop.target)
            used[hop.kind] += 1
            left -= int(self._tokens[hop.target])
        return path

    def _hop(self, reached: list[int], used: Counter[int], left: int, chance: np.random.Generator) -> Hop | None:
        best: tuple[int, int, list[int], _Options] | None = None
        for row in reversed(reached):
            options = self._options(row, reached, left)
            present = np.unique(options.kinds).tolist()
            least = min((used[kind] for kind in present), default=-1)
            if present and (best is None or least < best[0]):
                best = least, row, [kind for kind in present if used[kind] == least], options
            if least == 0:
                break
        if best is None:
            return None
        _, row, kinds, options = best
        kind = kinds[int(chance.random() * len(kinds))]
        own = options.kinds == kind
        shares = np.cumsum(options.weights[own], dtype=np.float64)
        place = int(np.searchsorted(shares, chance.random() * shares[-1], "right"))
        return Hop(row, int(options.targets[own][min(place, len(shares) - 1)]), EdgeKind(kind))

    def _options(self, row: int, reached: list[int], left: int) -> _Options:
        """The edges of a row that the walk may take."""
        targets, kinds, weights = self._graph.neighbors(row)
        fits = self._usable[targets] & (self._tokens[targets] <= left)
        for other in reached:
            fits &= self._distinct[targets] != self._distinct[other]
        for place in np.flatnonzero(fits & (kinds == EdgeKind.LEXICAL) & (weights >= ALIKE)).tolist():
            fits[place] = not self._say_the_same(row, int(targets[place]))
        return _Options(targets[fits], kinds[fits], weights[fits])

    def _say_the_same(self, row: int, other: int) -> bool:
        one, two = set(words(self._texts[row])), set(words(self._texts[other]))
        return len(one & two) >= ALIKE * len(one | two)
