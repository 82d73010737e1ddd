"""Numbers as people read them: with units, to the digits that mean something."""

from __future__ import annotations

from collections.abc import Sequence

NONE = "-"
"""What stands where there is no figure."""


def share(value: float | None) -> str:
    """A share or a mean between 0 and 1, as in ``0.42``."""
    return NONE if value is None else f"{value:.3f}"


def gain(value: float | None) -> str:
    """A difference, with its sign."""
    return NONE if value is None else f"{value:+.3f}"


def between(ends: Sequence[float] | None, *, signed: bool = False) -> str:
    """The ends of an interval, as in ``0.35 to 0.49``."""
    if ends is None:
        return NONE
    form = gain if signed else share
    return f"{form(ends[0])} to {form(ends[1])}"


def count(value: float | None, unit: str = "") -> str:
    """A whole number with thousands apart, as in ``12,000 tokens``."""
    if value is None:
        return NONE
    return f"{value:,.0f} {unit}".rstrip()


def number_of(value: int, one: str, many: str = "") -> str:
    """A number with its noun in the right form: ``1 record``, ``2 records``."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def seconds(value: float | None) -> str:
    """A time with its unit: ``0.4 ms``, ``12 ms``, ``1.3 s``, ``2 min 5 s``."""
    if value is None:
        return NONE
    if value < 0.01:
        return f"{value * 1000:.1f} ms"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    return f"{int(value // 60)} min {int(value % 60)} s"


def size(count_of_bytes: int) -> str:
    """A number of bytes with its unit: ``512 B``, ``1.5 MB``."""
    value, units = float(count_of_bytes), ["B", "kB", "MB", "GB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:.0f} {units[0]}" if units[0] == "B" else f"{value:.1f} {units[0]}"


def p_value(value: float) -> str:
    """A p-value, as in ``0.031`` or ``< 0.001``."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
