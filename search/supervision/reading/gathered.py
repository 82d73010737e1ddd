"""Answers that gather: how often, how much in total, which ones, what is common."""

from __future__ import annotations

from decimal import Decimal

from designsearch.runtime.models.offline.words import stems_of, words_of
from designsearch.search.metrics.numbers import parse_number
from designsearch.search.metrics.typed import as_text
from designsearch.search.supervision.reading.answer_in_line import items_in
from designsearch.search.supervision.reading.parts import Found, Sight

AS_MUCH = 0.8
"""A record belongs to what is gathered from this share of the best one's score."""
MOST = 30
"""Records that are gathered at most."""


def gathered(sight: Sight) -> Found | None:
    """The answer, or ``None`` where no record supports one."""
    lines = _belonging(sight)
    if not lines:
        return None
    question = sight.question
    if question.wanted == "number":
        return _total(sight, lines) if question.total and not question.occasions else _often(sight, lines)
    return _common(sight, lines) if question.common else _which(sight, lines)


def _belonging(sight: Sight) -> list[int]:
    """The best sentence of each record that says about as much as the best."""
    match = sight.match
    lines = sight.best_of_each(match)
    best = float(match.scores[lines[0]])
    timed = bool(sight.question.terms.periods)
    return [
        line
        for line in lines[:MOST]
        if match.scores[line] >= AS_MUCH * best
        and sight.supports(line)
        and (not timed or match.in_time[sight.source(line)] > 0)
    ]


def _often(sight: Sight, lines: list[int]) -> Found:
    return Found(len(lines), tuple(sight.source(line) for line in lines))


def _total(sight: Sight, lines: list[int]) -> Found | None:
    """The sum of the numbers that the records say, where they are of one unit."""
    found = [(line, parse_number(sight.answer(line))) for line in lines]
    numbers = [(line, number) for line, number in found if number is not None]
    units = {number.unit for _, number in numbers}
    if len(units) != 1:
        return None
    total = sum((Decimal(number.value) for _, number in numbers), Decimal(0))
    return Found(f"{total.normalize():f} {units.pop() or ''}".strip(), tuple(sight.source(line) for line, _ in numbers))


def _common(sight: Sight, lines: list[int]) -> Found | None:
    """What the enumerations of all belonging records hold."""
    lists = [(line, items_in(sight.spot(line), frozenset())) for line in lines]
    lists = [(line, items) for line, items in lists if items]
    if len(lists) < 2:
        return None
    keys = [{_key(item) for item in items} for _, items in lists]
    common = [item for item in lists[0][1] if all(_key(item) in own for own in keys[1:])]
    return Found(common, tuple(sight.source(line) for line, _ in lists)) if common else None


def _which(sight: Sight, lines: list[int]) -> Found | None:
    """The entries that one record lists, else what each of the records answers."""
    listed = items_in(sight.spot(lines[0]), frozenset())
    if len(listed) > 1:
        return Found(listed, (sight.source(lines[0]),))
    answers = [(line, sight.answer(line)) for line in lines]
    values = {_key(as_text(value)): as_text(value) for _, value in answers if value}
    sources = tuple(sight.source(line) for line, value in answers if value)
    return Found(list(values.values()), sources) if values else None


def _key(item: str) -> str:
    return " ".join(stems_of(words_of(item)))
