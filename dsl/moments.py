"""Times as templates see them, with the precision that the source gives and never more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2}).*)?)?)?", re.DOTALL)
_FULL_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?\Z", re.DOTALL | re.ASCII)
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - local wall-clock time has no zone


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of known precision; it prints as the source wrote it, and as nothing where it is unknown.

    Attributes:
        local_seconds: local wall-clock seconds since 1970-01-01, ``None`` where unknown.
        text: ISO 8601 with the source's own precision and zone, empty where unknown.
    """

    local_seconds: int | None
    text: str = ""

    def __str__(self) -> str:
        """The source's own text."""
        return self.text

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self.text) or self.local_seconds is not None

    @property
    def parts(self) -> tuple[int, ...]:
        """What is known: year, month, day, hour, minute, as many as the precision allows; empty where nothing is.

        They are read off the text, so that no zone ever shifts them; a text that is not ISO 8601 falls back on
        ``local_seconds``.
        """
        if match := _ISO.fullmatch(self.text):
            return tuple(int(part) for part in match.groups() if part is not None)
        if self.local_seconds is None:
            return ()
        try:
            when = _EPOCH + timedelta(seconds=self.local_seconds)
        except OverflowError:
            return ()
        return (when.year, when.month, when.day, when.hour, when.minute)


def day(moment: Moment) -> str:
    """The date as ``2024-03-05``; ``2024-03`` or ``2024`` where the source knows no more; empty where unknown."""
    if _FULL_DATE.match(moment.text):
        return moment.text[:10]
    parts = moment.parts
    if not parts:
        return moment.text
    return "-".join([f"{parts[0]:04d}", *(f"{part:02d}" for part in parts[1:3])])


def clock(moment: Moment) -> str:
    """The time of day as ``09:30``; empty where the source gives none."""
    parts = moment.parts
    return f"{parts[3]:02d}:{parts[4]:02d}" if len(parts) > 3 else ""


def ago(moment: Moment, reference: Moment) -> str:
    """How long before ``reference``, in words: ``today``, ``yesterday``, ``3 weeks ago``, ``in 2 months``.

    Whole local calendar days, months and years are compared, at the coarser precision of the two. Where either is
    unknown the date itself is given; today's date is never used.
    """
    then, now = moment.parts[:3], reference.parts[:3]
    if not then or not now:
        return day(moment)
    if len(then) < 2 or len(now) < 2:
        return _words(now[0] - then[0], "year")
    months = (now[0] - then[0]) * 12 + now[1] - then[1]
    if len(then) < 3 or len(now) < 3:
        return _words(months, "month") if abs(months) < 24 else _words(_towards_zero(months, 12), "year")
    return _days_ago(then, now, months)


def _days_ago(then: tuple[int, ...], now: tuple[int, ...], months: int) -> str:
    try:
        days = (date(*now) - date(*then)).days
    except ValueError:  # a day that no calendar has, such as 2023-02-30
        return _words(months, "month")
    if abs(days) < 14:
        return {0: "today", 1: "yesterday", -1: "tomorrow"}.get(days) or _words(days, "day")
    # A month counts once its day has come.
    whole = months - (now[2] < then[2]) if days > 0 else months + (now[2] > then[2])
    if abs(whole) < 2:
        return _words(_towards_zero(days, 7), "week")
    return _words(whole, "month") if abs(whole) < 24 else _words(_towards_zero(whole, 12), "year")


def _towards_zero(amount: int, size: int) -> int:
    return abs(amount) // size * (1 if amount > 0 else -1)


def _words(count: int, unit: str) -> str:
    if abs(count) < 2:
        return f"{('this', 'last', 'next')[count]} {unit}"
    return f"{count} {unit}s ago" if count > 0 else f"in {-count} {unit}s"
