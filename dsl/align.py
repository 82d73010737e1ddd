"""Align two lists of stages: which stayed, which moved, which came and went."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_MOST = 400
"""Longest list that is aligned; longer ones are compared place by place."""

_EQUAL = 1000.0


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs of positions in the old and the new list.

    Attributes:
        kept: the same entry, in the same order as the others.
        moved: the same entry, in another order.
        removed: positions in the old list without a partner.
        inserted: positions in the new list without a partner.
    """

    kept: tuple[tuple[int, int], ...]
    moved: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    inserted: tuple[int, ...]


def align(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], name: str) -> Alignment:
    """Align entries that share the value of their key ``name``.

    Equal entries find each other first, in order where that is possible and as moves elsewhere; then the most similar
    ones that are left, in the same way.
    """
    likeness = [[_similarity(a, b, name) for b in new] for a in old]
    equal = [[1.0 if value == _EQUAL else 0.0 for value in row] for row in likeness]
    stayed = _in_order(equal)
    moved = _greedy(equal, stayed)
    for i, j in moved:
        likeness[i] = [0.0] * len(new)
        for row in likeness:
            row[j] = 0.0
    kept = _in_order(likeness)
    moved += _greedy(likeness, [*kept, *moved])
    old_used, new_used = {i for i, _ in (*kept, *moved)}, {j for _, j in (*kept, *moved)}
    removed = tuple(i for i in range(len(old)) if i not in old_used)
    inserted = tuple(j for j in range(len(new)) if j not in new_used)
    return Alignment(tuple(kept), tuple(sorted(moved)), removed, inserted)


def _greedy(likeness: list[list[float]], taken: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs among what is not taken, the most similar first."""
    rows, columns = {i for i, _ in taken}, {j for _, j in taken}
    pairs: list[tuple[int, int]] = []
    for _, i, j in sorted((-value, i, j) for i, row in enumerate(likeness) for j, value in enumerate(row) if value > 0):
        if i not in rows and j not in columns:
            pairs.append((i, j))
            rows.add(i)
            columns.add(j)
    return pairs


def _similarity(a: dict[str, Any], b: dict[str, Any], name: str) -> float:
    """0 for different names, else 1 to 2 by the share of equal values, and far more for equal entries."""
    if a.get(name) != b.get(name):
        return 0.0
    keys = a.keys() | b.keys()
    equal = sum(1 for key in keys if key in a and key in b and _text(a[key]) == _text(b[key]))
    return _EQUAL if equal == len(keys) else 1.0 + equal / len(keys)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _in_order(likeness: list[list[float]]) -> list[tuple[int, int]]:
    if len(likeness) * len(likeness[0] if likeness else ()) <= _MOST**2:
        return _subsequence(likeness)
    return [(i, i) for i, row in enumerate(likeness) if i < len(row) and row[i] > 0]


def _subsequence(likeness: list[list[float]]) -> list[tuple[int, int]]:
    """The common subsequence of greatest weight (Needleman and Wunsch 1970, no cost for gaps)."""
    rows, columns = len(likeness), len(likeness[0]) if likeness else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            taken = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] > 0 else 0.0
            best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if likeness[i][j] > 0 and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
