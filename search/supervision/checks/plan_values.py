"""The values that operations work on: numbers with a unit, days, lists; and when two of them are the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.records import Value
from designsearch.search.metrics.dates import parse_date
from designsearch.search.metrics.numbers import parse_number
from designsearch.search.metrics.typed import as_text, equal, items


class CannotRecomputeError(Exception):
    """An operation's inputs are not what it works on; the message says why."""


@dataclass(frozen=True, slots=True)
class Item:
    """An input of an operation.

    Attributes:
        name: the fact's id or the output's name.
        value: what it contributes.
        about: what the value is of.
        base: the day from which a relative date in the value counts.
        words: stems of all that the facts behind it say.
        spans: the citations behind it, as ``(record, start, end)``.
    """

    name: str
    value: Value
    about: str
    base: date | None
    words: frozenset[str]
    spans: frozenset[tuple[str, int, int]]


def same(a: Value, b: Value) -> bool:
    """Whether two values are the same as numbers, dates, lists, or text."""
    if isinstance(a, bool) or isinstance(b, bool):
        return equal(a, b, "boolean")
    if isinstance(a, list) or isinstance(b, list):
        return equal(a, b, "list")
    if parse_number(a) is not None and parse_number(b) is not None:
        return equal(a, b, "number")
    return equal(a, b, "date") or equal(a, b, "text")


def same_in_order(a: Value, b: Value) -> bool:
    """Whether two lists have the same items in the same order."""
    left, right = items(a), items(b)
    return len(left) == len(right) and all(same(x, y) for x, y in zip(left, right, strict=True))


def numbers(inputs: list[Item]) -> tuple[list[Decimal], str]:
    """The inputs as numbers, and the unit that they share (empty where none has one).

    Raises:
        CannotRecomputeError: one is no number, or their units differ.
    """
    found = [parse_number(one.value) for one in inputs]
    for one, number in zip(inputs, found, strict=True):
        if number is None:
            raise CannotRecomputeError(f"{one.name} is no number: {as_text(one.value)!r}")
    units = {number.unit for number in found if number and number.unit}
    if len(units) > 1:
        raise CannotRecomputeError(f"units differ: {', '.join(sorted(units))}")
    return [Decimal(number.value) for number in found if number], next(iter(units), "")


def is_number(one: Item) -> bool:
    """Whether an input is a number."""
    return parse_number(one.value) is not None


def period(one: Item) -> tuple[date, date]:
    """The first and the last day that an input may mean.

    Raises:
        CannotRecomputeError: it is no date, or one without a year that nothing completes.
    """
    text = as_text(one.value)
    said = parse_date(text)
    iso = said.canonical().partition("T")[0] if said and said.year else text
    found = dates_in(iso if said is None or not said.year or len(iso) > 4 else f"in {iso}", one.base)
    if len(found) != 1 or len(found[0].text) < len(text.strip()) // 2:
        raise CannotRecomputeError(f"{one.name} is no date: {text!r}")
    return found[0].first, found[0].last


def shown(value: Decimal, unit: str) -> str:
    """A number in plain digits with its unit."""
    digits = f"{value.normalize():f}"
    return f"{digits} {unit}".strip()
