"""The periods of time that a question is about: days, months, ranges, and what lies before or after a date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from designsearch.runtime.models.dates import DateSpan, dates_in

Relation = Literal["during", "before", "after"]

_TO = re.compile(r"\s*(?:to|through|until|till|-|–|—)\s*(?:the\s+)?", re.IGNORECASE)
_AND = re.compile(r",?\s*and\s+(?:the\s+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\b[^,.?!]*$", re.IGNORECASE)
_LATER_DAY = re.compile(
    r"\s*(?:to|through|until|and|-|–|—)\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b(?![:/\d])", re.IGNORECASE
)
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
        first, last = _day(span.first), _day(span.last)
        if after is not None and after.last >= span.first and _joins(question, span, after):
            yield Period(first, _day(after.last), "during")
            i += 2
            continue
        until = _same_month(question, span)
        if until is not None:
            yield Period(first, until, "during")
        else:
            yield Period(first, last, _relation(question, span))
        i += 1


def _day(day: date) -> int:
    return day.toordinal() - EPOCH


def _joins(question: str, span: DateSpan, after: DateSpan) -> bool:
    between = question[span.end : after.start]
    if _TO.fullmatch(between):
        return True
    return bool(_AND.fullmatch(between) and _BETWEEN.search(question[: span.start]))


def _same_month(question: str, span: DateSpan) -> int | None:
    """The last day of ``January 15th to 24th``."""
    found = _LATER_DAY.match(question, span.end) if span.precision == "day" else None
    if not found:
        return None
    try:
        last = span.first.replace(day=int(found[1]))
    except ValueError:
        return None
    return _day(last) if last > span.first else None


def _relation(question: str, span: DateSpan) -> Relation:
    found = _RELATION.search(question, max(0, span.start - _LOOK_BACK), span.start)
    if not found:
        return "during"
    return "before" if found["before"] else "after"
