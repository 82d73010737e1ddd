"""How deep a value is nested: what is read from outside is not worked on beyond a depth that Python can follow."""

from __future__ import annotations

from typing import Any

DEEPEST = 100
"""Levels of nesting beyond which nothing is read."""


def too_deep(value: Any) -> bool:
    """Whether lists and mappings lie in each other more than :data:`DEEPEST` levels deep."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
