"""Dates as people write them, with the precision they were written with.

A date of day and month order that nobody can know (``03/05/2023``) is no date at all; one that only one order allows
(``13/05/2023``) is.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from typing import NamedTuple

from designsearch.search.metrics.fold import fold_line

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"\d{1,2}(?!\d)(?:\s?(?:st|nd|rd|th)\b)?"
_YEAR = r"[12]\d{3}(?!\d)"
_CLOCK = r"(?:t|,?\s(?:at\s)?)(?P<clock>\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?P<zone>z|[+-]\d{2}:?\d{2})?"
_FORMS = rf"""
    (?P<y1>{_YEAR})(?P<sep>[-/.])(?P<m1>\d{{1,2}})(?!\d)(?:(?P=sep)(?P<d1>\d{{1,2}})(?!\d)(?:{_CLOCK})?)?
  | (?P<d2>{_DAY})\s(?:day\s)?(?:of\s)?(?P<m2>{_MONTH})(?:,?\s(?:of\s)?(?P<y2>{_YEAR}))?
  | (?P<m3>{_MONTH})\s(?:the\s)?(?P<d3>{_DAY})(?:,?\s(?:of\s)?(?P<y3>{_YEAR}))?
  | (?P<m4>{_MONTH}),?\s(?:of\s)?(?P<y4>{_YEAR})
  | (?P<a5>\d{{1,2}})(?P<sep5>[-/.])(?P<b5>\d{{1,2}})(?P=sep5)(?P<y5>{_YEAR})
"""
_HERE = re.compile(rf"(?<![\w/.-])(?:{_FORMS})(?![\w/])", re.VERBOSE)
_MONTH_BEFORE = re.compile(rf"(?<![\w/.-]){_MONTH},?\s(?:the\s|of\s)?\Z")
_LONGEST_MONTH = len("september., the ")
_DIGITS = re.compile(r"\d+")
_TAIL = re.compile(rf"(?:\d|st|nd|rd|th|day|of|the|at|{_MONTH})[.,]*\Z")
_LONGEST_TAIL = len("september.,") + 1
_HEAD = re.compile(rf"\d|(?:st|nd|rd|th|day|of|the|at)\b|{_MONTH}")
_WHOLE = re.compile(
    rf"(?:(?:on|in|the)\s)*(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s)?(?:the\s)?(?:{_FORMS})",
    re.VERBOSE,
)
_WHOLE_SHORT = re.compile(rf"(?:in\s)?(?:(?P<year>{_YEAR})|(?P<month>{_MONTH}))")


class Date(NamedTuple):
    """The parts of a date that were written down; ``None`` for those that were not."""

    year: int | None
    month: int | None
    day: int | None
    clock: str = ""

    def canonical(self) -> str:
        """ISO 8601 with the precision given: ``2023-03-05``, ``2023-03``, ``2023``, and ``--03-05`` without a year."""
        year = "-" if self.year is None else f"{self.year:04d}"
        month = "" if self.month is None else f"-{self.month:02d}"
        day = "" if self.day is None else f"-{self.day:02d}"
        return year + month + day + (f"T{self.clock}" if self.clock else "")

    def says(self, wanted: Date) -> bool:
        """Whether this date has every part of ``wanted``: 5 March 2023 says March 2023, not the other way round."""
        mine, asked = self[:3], wanted[:3]
        return all(w is None or w == m for w, m in zip(asked, mine, strict=True))


class Found(NamedTuple):
    """A date in a longer text, at ``start:end`` of it."""

    date: Date
    start: int
    end: int


def parse_date(text: str) -> Date | None:
    """The date that the whole of ``text`` is, else ``None``."""
    line = fold_line(text).replace("  ", " ")
    match = _WHOLE.fullmatch(line)
    if match is not None:
        return _date(match)
    short = _WHOLE_SHORT.fullmatch(line)
    if short is None:
        return None
    return Date(int(short["year"]), None, None) if short["year"] else Date(None, _month(short["month"]), None)


def find_dates(folded: str) -> Iterator[Found]:
    """The dates written in a folded text, in order, at least a month with a day or a year each."""
    end = 0
    # every form holds digits and begins with them or with a month before them, so only those places are tried
    for digits in _DIGITS.finditer(folded):
        at = digits.start()
        if at < end:
            continue
        month = _MONTH_BEFORE.search(folded, max(end, at - _LONGEST_MONTH), at)
        match = (_HERE.match(folded, month.start()) if month else None) or _HERE.match(folded, at)
        if match is not None:
            end = match.end()
            date = _date(match)
            if date is not None:
                yield Found(date, *match.span())


def may_go_on(folded: str) -> bool:
    """Whether a date at the end of a line may go on in the next one."""
    return _TAIL.search(folded, max(0, len(folded) - _LONGEST_TAIL)) is not None


def may_continue(folded: str) -> bool:
    """Whether a line may begin with the rest of a date from the line before."""
    return _HEAD.match(folded) is not None


def _month(word: str) -> int:
    return int(word) if word.isdigit() else _MONTHS[word[:3]]


def _date(match: re.Match[str]) -> Date | None:
    part = match.groupdict()
    if part["a5"]:
        return _numeric(int(part["a5"]), int(part["b5"]), int(part["y5"]))
    form = next(n for n in "1234" if part[f"m{n}"])
    year, month, day = part.get(f"y{form}"), _month(part[f"m{form}"]), part.get(f"d{form}")
    clock = (part["clock"] or "") + (part["zone"] or "").upper()
    number = int(re.match(r"\d+", day)[0]) if day else None  # type: ignore[index]
    return _checked(Date(int(year) if year else None, month, number, clock))


def _numeric(first: int, second: int, year: int) -> Date | None:
    """Day and month in either order: the one date that the numbers allow, ``None`` where they allow two or none."""
    readings = {_checked(Date(year, month, day)) for month, day in ((first, second), (second, first))} - {None}
    return readings.pop() if len(readings) == 1 else None


def _checked(date: Date) -> Date | None:
    """The date where the calendar has it (29 February without a year included)."""
    if date.month is not None and not 1 <= date.month <= 12:
        return None
    if date.day is not None and date.month is not None:
        leap_year = 2000
        if not 1 <= date.day <= calendar.monthrange(date.year or leap_year, date.month)[1]:
            return None
    return date
