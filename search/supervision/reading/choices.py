"""Answers that choose among, or order, the things that the question names."""

from __future__ import annotations

from decimal import Decimal

from designsearch.search.metrics.numbers import parse_number
from designsearch.search.supervision.reading.answer_in_line import number_in
from designsearch.search.supervision.reading.coverage import best_first
from designsearch.search.supervision.reading.parts import Found, Sight

PART_FLOOR = 0.5
"""Share of what a part of the question looks for that its sentence has to say."""
APART = 0.93
"""A record of another day with this share of the best one's score makes a part's day uncertain."""


def offered_order(sight: Sight) -> Found | None:
    """Which of the things offered came first or is most, or all of them in order; ``None`` where one is not found."""
    question = sight.question
    offered = question.offered
    lines = [part_line(sight, part) for part in offered]
    if any(line is None for line in lines):
        return None
    found = [line for line in lines if line is not None]
    keys = [_key(sight, line) for line in found]
    if any(key is None for key in keys) or len(set(keys)) < len(keys):
        return None
    order = sorted(range(len(offered)), key=lambda i: keys[i] or Decimal(0))
    if question.by_amount == "most" or (question.latest and not question.by_amount):
        order.reverse()
    sources = tuple(dict.fromkeys(sight.source(line) for line in found))
    names = [offered[i] for i in order]
    return Found(names if question.wanted == "list" else names[0], sources)


def part_line(sight: Sight, part: str, *, several: bool = False) -> int | None:
    """The sentence that a part of the question is about; ``None`` where none is, or one of another day is as well.

    Args:
        sight: the question over its records.
        part: of the question.
        several: whether one of another day does no harm.
    """
    match = sight.part(part)
    order = best_first(match.scores)
    best = float(match.scores[order[0]])
    if best < PART_FLOOR or match.named[order[0]] < 1:
        return None
    if several:
        return order[0]
    day = event_day(sight, order[0])
    for other in order[1:]:
        if match.scores[other] < APART * best:
            break
        if sight.source(other) != sight.source(order[0]) and event_day(sight, other) != day:
            return None
    return order[0]


def event_day(sight: Sight, line: int) -> int | None:
    """The day that a sentence tells of: the one it says, else the one on which it was written."""
    said = [d for d in sight.shown.lines[line].dates if d.precision == "day" and not sight.question.terms.spoken]
    if said:
        return said[0].first.toordinal()
    day = sight.shown.lines[line].day
    return day.toordinal() if day else None


def _key(sight: Sight, line: int) -> Decimal | None:
    if sight.question.by_amount and not _in_time(sight):
        number = parse_number(number_in(sight.spot(line), sight.question, sight.soft))
        return Decimal(number.value) if number else None
    day = event_day(sight, line)
    return Decimal(day) if day is not None else None


def _in_time(sight: Sight) -> bool:
    """Whether ``most`` is about time, as in ``most recently``."""
    return sight.question.asked.kind == "when" or "recent" in sight.question.text.lower()
