"""Dates in a text, absolute and relative, resolved against the day on which the text was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from designsearch.runtime.models.offline import calendar_words as cal
from designsearch.runtime.models.offline.absolute_dates import ABSOLUTE
from designsearch.runtime.models.offline.date_rule import Rule, Said
from designsearch.runtime.models.offline.relative_dates import ANCHOR, RELATIVE, anchored

_MAY_HOLD_DATE = re.compile(
    r"\d{4}|\d(?:st|nd|rd|th)|\bago\b|day|month|year|week|night|morning|afternoon|evening|tomorrow|from\s+now"
    r"|spring|summer|fall|autumn|winter|\b(?:jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
_EPOCH = date(1970, 1, 1)
_LOOK_BACK = 60


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date that a text mentions.

    Attributes:
        start, end: the characters of the text that say it.
        text: those characters.
        first, last: the first and the last day it may mean.
        precision: how exactly the text says it.
        words: the same said without reference to the time of writing, as in ``the week before 9 June 2023``;
            resolving ``words`` gives the same days again.
        relative: True where it was resolved against the time of writing.
    """

    start: int
    end: int
    text: str
    first: date
    last: date
    precision: cal.Precision
    words: str
    relative: bool

    @property
    def iso(self) -> str:
        """``2023-05-07``, ``2023-05``, ``2023``, or ``2023-05-01/2023-05-07`` for what has no shorter ISO form."""
        if self.precision in ("day", "month", "year"):
            return self.first.isoformat()[: {"day": 10, "month": 7, "year": 4}[self.precision]]
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


def resolve_dates(text: str, base_local_seconds: int | None) -> list[DateSpan]:
    """The dates of a text in order, none overlapping another.

    Args:
        text: any text; English is understood.
        base_local_seconds: when it was written, as local wall-clock seconds since 1970-01-01. ``None``, or a value
            outside the calendar (such as ``NO_TIME``), means unknown: then dates that need it (``yesterday``,
            ``5 March``) are left out.

    Returns:
        One span a date. An ambiguous ``03/05/2023`` is left out too.
    """
    return dates_in(text, local_day(base_local_seconds))


def local_day(seconds: int | None) -> date | None:
    """The day of a local wall-clock time; ``None`` where it is unknown or outside the calendar."""
    if seconds is None:
        return None
    try:
        return _EPOCH + timedelta(days=int(seconds) // 86400)
    except OverflowError:
        return None


def dates_in(text: str, base: date | None) -> list[DateSpan]:
    """As :func:`resolve_dates`, with the day of writing as a date."""
    if not _MAY_HOLD_DATE.search(text):
        return []
    found = [span for rule in (ABSOLUTE + RELATIVE if base else ABSOLUTE) for span in _matches(rule, text, base)]
    found.sort(key=lambda f: (f[0], -f[1]))
    kept: list[DateSpan] = []
    covered = 0
    for start, end, span in found:
        if start >= covered:
            covered = end
            if span is not None:
                kept.append(span)
    return kept


def _matches(rule: Rule, text: str, base: date | None) -> Iterator[tuple[int, int, DateSpan | None]]:
    """Start, end and meaning; no meaning for a date that does not exist, so that no part of it is read as another."""
    for match in rule.pattern.finditer(text):
        start, end = match.span("span") if "span" in rule.pattern.groupindex else match.span()
        said = Said(match, base)
        try:
            period = rule.resolve(said)
        except (ValueError, OverflowError):  # 31 February, a year outside the calendar
            yield start, end, None
            continue
        if period is not None:
            span = _span(text, start, end, period, relative=not said.get("year"))
            yield span.start, span.end, span


def _span(text: str, start: int, end: int, period: cal.Period, *, relative: bool) -> DateSpan:
    """The span of a period, widened where ``the week before`` or the like stands in front of a day."""
    before = ANCHOR.search(text, max(0, start - _LOOK_BACK), start) if period[2] == "day" else None
    if before:
        with suppress(ValueError, OverflowError):  # a period outside the calendar: the date stands alone
            period, start = anchored(before, period[0]), before.start()
    first, last, precision, words = period
    return DateSpan(start, end, text[start:end], first, last, precision, words, relative)
