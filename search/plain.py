"""Values as plain JSON, so that what is stored is what is read again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

LONGEST = 1000
"""Characters of a text that an attribute may have; longer texts belong into files."""


def plain(value: Any) -> Any:
    """The value as plain JSON: numpy's numbers as numbers, dates as ISO 8601, tuples as lists, keys as text.

    What is no finite number becomes ``None``, as JSON has no name for it.

    Raises:
        TypeError: there is no plain form of it.
    """
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(one) for one in value), key=str)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no plain form")


def attribute(value: Any) -> Any:
    """The value as a small attribute: plain, a long text cut."""
    result = plain(value)
    if isinstance(result, str) and len(result) > LONGEST:
        return result[: LONGEST - 3] + "..."
    return result
