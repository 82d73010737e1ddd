"""Align two lists of stages: which stayed, which moved, which came and went."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_MOST = 400
"""Longest list that is aligned; longer ones are compared place by place."""


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
    """Align entries that share the value of their key ``name``, the most similar ones first.

    The kept pairs are the common subsequence of greatest total similarity; among what is left over, equal names are
    moves.
    """
    likeness = [[_similarity(a, b, name) for b in new] for a in old]
    kept = _subsequence(likeness) if len(old) * len(new) <= _MOST**2 else _diagonal(likeness)
    loose_old = [i for i in range(len(old)) if i not in {a for a, _ in kept}]
    loose_new = [j for j in range(len(new)) if j not in {b for _, b in kept}]
    candidates = [(-likeness[i][j], i, j) for i in loose_old for j in loose_new if likeness[i][j] > 0]
    moved: list[tuple[int, int]] = []
    for _, i, j in sorted(candidates):
        if i in loose_old and j in loose_new:
            moved.append((i, j))
            loose_old.remove(i)
            loose_new.remove(j)
    return Alignment(tuple(kept), tuple(sorted(moved)), tuple(loose_old), tuple(loose_new))


def _similarity(a: dict[str, Any], b: dict[str, Any], name: str) -> float:
    """0 for different names, else 1 to 2 by the share of equal values; 4 for equal entries, more than two pairs."""
    if a.get(name) != b.get(name):
        return 0.0
    keys = a.keys() | b.keys()
    equal = sum(1 for key in keys if key in a and key in b and _text(a[key]) == _text(b[key]))
    return 4.0 if equal == len(keys) else 1.0 + equal / len(keys)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _diagonal(likeness: list[list[float]]) -> list[tuple[int, int]]:
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
