"""Answers about two things: how many days or how much lies between them, and which of them was before the other."""

from __future__ import annotations

import re
from decimal import Decimal

from designsearch.search.metrics.numbers import parse_number
from designsearch.search.supervision.reading.answer_in_line import number_in
from designsearch.search.supervision.reading.choices import event_day, part_line
from designsearch.search.supervision.reading.parts import Found, Sight

_IN_TIME = re.compile(r"\b(?:days?|weeks?|months?|long|time)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|earlier\s+than|prior\s+to)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:after|later\s+than|following)\b", re.IGNORECASE)
_WEEKS = re.compile(r"\bhow\s+many\s+weeks\b", re.IGNORECASE)


def distance_of(sight: Sight) -> Found | None:
    """The distance of the two things that the question names; ``None`` where one of them is not found."""
    for a, b in sight.question.pairs():
        left, right = part_line(sight, a), part_line(sight, b)
        if left is None or right is None or left == right:
            continue
        sources = tuple(dict.fromkeys((sight.source(left), sight.source(right))))
        value = _days(sight, left, right) if _IN_TIME.search(sight.question.text) else _amount(sight, left, right)
        if value is not None:
            return Found(value, sources)
    return None


def _days(sight: Sight, left: int, right: int) -> str | None:
    one, other = event_day(sight, left), event_day(sight, right)
    if one is None or other is None:
        return None
    days = abs(one - other)
    if _WEEKS.search(sight.question.text):
        return f"{days // 7} weeks" if days % 7 == 0 else None
    return f"{days} days"


def _amount(sight: Sight, left: int, right: int) -> str | None:
    found = [parse_number(number_in(sight.spot(line), sight.question, sight.soft)) for line in (left, right)]
    one, other = found
    if one is None or other is None or (one.unit and other.unit and one.unit != other.unit):
        return None
    return f"{abs(Decimal(one.value) - Decimal(other.value)).normalize():f} {one.unit or other.unit or ''}".strip()
