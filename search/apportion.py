"""Whole numbers in proportion to shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Name = TypeVar("Name", bound=str)


def apportion(count: int, shares: Mapping[Name, float]) -> dict[Name, int]:
    """Whole numbers in proportion to the shares by largest remainders, at least 1 each.

    Args:
        count: their sum, not below the number of shares.
        shares: by name, above 0.
    """
    whole = sum(shares.values())
    exact = {part: count * share / whole for part, share in shares.items()}
    result = {part: max(1, int(value)) for part, value in exact.items()}
    while (missing := count - sum(result.values())) != 0:
        step = 1 if missing > 0 else -1
        allowed = [part for part in result if step > 0 or result[part] > 1]
        pick = max(allowed, key=lambda part: (step * (exact[part] - result[part]), shares[part]))
        result[pick] += step
    return result
