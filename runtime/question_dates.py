"""The periods of time that a question is about: days, months, ranges, and what lies before or after a date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from designsearch.runtime.models.offline.dates import DateSpan, dates_in

Relation = Literal["during", "before", "after"]

_TO = re.compile(r"\s*(?:to|through|until|till|-|–|—)\s*(?:the\s+)?", re.IGNORECASE)
_AND = re.compile(r",?\s*and\s+(?:the\s+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\b[^,.?!]*$", re.IGNORECASE)
_LATER_DAY = re.compile(
    r"\s*(?:to|through|until|and|-|–|—)\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b(?![:/\d])"
    r"(?:,?\s+(?P<year>[12]\d{3})\b)?",
    re.IGNORECASE,
)
_EARLIER_DAY = re.compile(
    r"(?<![\w:/.-])(\d{1,2})(?:st|nd|rd|th)?\s*(?:(?P<to>to|through|until|till|-|–|—)|and)\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_RELATION = re.compile(
    r"\b(?:(?P<before>before|prior\s+to|preceding|until|by|up\s+to)|(?P<after>after|since|following))\s+(?:the\s+|early\s+)?$",
    re.IGNORECASE,
)
_LOOK_BACK = 30
EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Period:
    """A period that a question names.

    Attributes:
        first, last: its days, counted from 1970-01-01.
        relation: whether the question asks about the period itself, or about what lies before or after it.
    """

    first: int
    last: int
    relation: Relation

    @property
    def days(self) -> int:
        """Its length."""
        return self.last - self.first + 1


@lru_cache(maxsize=65_536)
def question_periods(question: str, base: date | None) -> tuple[Period, ...]:
    """The periods that a question names.

    Args:
        question: its words; English is understood.
        base: the day of asking, from which relative dates and missing years are completed; ``None``: unknown.
    """
    return tuple(_periods(question, dates_in(question, base)))


def _periods(question: str, spans: list[DateSpan]) -> Iterator[Period]:
    i = 0
    while i < len(spans):
        span, after = spans[i], spans[i + 1] if i + 1 < len(spans) else None
        i += 1
        if after is not None and _joins(question, span, after):
            first, last = _range(span, after)
            if first <= last:
                yield Period(_day(first), _day(last), "during")
                i += 1
                continue
        days = _later_day(question, span, after) or _earlier_day(question, span)
        first, last = days or (span.first, span.last)
        yield Period(_day(first), _day(last), "during" if days else _relation(question, span))


def _day(day: date) -> int:
    return day.toordinal() - EPOCH


def _joins(question: str, span: DateSpan, after: DateSpan) -> bool:
    between = question[span.end : after.start]
    if _TO.fullmatch(between):
        return True
    return bool(_AND.fullmatch(between) and _BETWEEN.search(question[: span.start]))


def _range(span: DateSpan, after: DateSpan) -> tuple[date, date]:
    """The first and the last day of ``3 May to 9 June 2023``: a year that one of the two leaves out is the other's."""
    first, last = span.first, after.last
    if _lacks_year(span) and _YEAR.search(after.text):
        first = _in_year(first, last.year)
        first = first if first <= last else _in_year(first, last.year - 1)
    elif _lacks_year(after) and _YEAR.search(span.text):
        last = _in_year(last, first.year)
        last = last if first <= last else _in_year(last, first.year + 1)
    return first, last


def _lacks_year(span: DateSpan) -> bool:
    return bool(_MONTH.search(span.text)) and not _YEAR.search(span.text)


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February
        return day.replace(year=year, day=28)


def _later_day(question: str, span: DateSpan, after: DateSpan | None) -> tuple[date, date] | None:
    """The first and the last day of ``January 15th to 24th`` and of ``May 3 to 9, 2023``."""
    found = _LATER_DAY.match(question, span.end) if span.precision == "day" else None
    if not found or (after is not None and after.start < found.end() + 1):
        return None
    first = _in_year(span.first, int(found["year"])) if found["year"] and _lacks_year(span) else span.first
    last = _same_month(first, found[1])
    return (first, last) if last is not None and last > first else None


def _earlier_day(question: str, span: DateSpan) -> tuple[date, date] | None:
    """The first and the last day of ``15th to 24th January`` and of ``between 15 and 24 January``."""
    found = _EARLIER_DAY.search(question, 0, span.start) if span.precision == "day" else None
    if not found or not (found["to"] or _BETWEEN.search(question[: found.start()])):
        return None
    first = _same_month(span.first, found[1])
    return (first, span.last) if first is not None and first < span.first else None


def _same_month(day: date, number: str) -> date | None:
    try:
        return day.replace(day=int(number))
    except ValueError:
        return None


def _relation(question: str, span: DateSpan) -> Relation:
    found = _RELATION.search(question, max(0, span.start - _LOOK_BACK), span.start)
    if not found:
        return "during"
    return "before" if found["before"] else "after"
