"""Whether a value stands in a text, however it is written: as a number, a date, a name, or every item of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from designsearch.runtime.models.offline.amounts import amounts_in
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.spans import typed_spans
from designsearch.runtime.records import Value
from designsearch.search.metrics.dates import Date, find_dates, parse_date
from designsearch.search.metrics.fold import fold, fold_line
from designsearch.search.metrics.numbers import SMALL, Number, parse_number
from designsearch.search.metrics.typed import as_text
from designsearch.search.supervision.source_days import day_of_time

Passage = tuple[str, str | None]
"""A text and the ISO 8601 time at which it was written."""

LONGEST = 20_000
"""Characters of a passage that are read for dates and numbers; the words are looked for in all of it."""

_WORD = rf"(?:{'|'.join(sorted(SMALL, key=len, reverse=True))}|hundred|thousand|million)"
_NUMBER_WORDS = re.compile(rf"\b(?:an?\s+)?{_WORD}(?:(?:[\s-]+(?:and\s+)?){_WORD})+\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+")


def stands_in(value: Value, passages: Sequence[Passage]) -> bool:
    """Whether some passage says the value; every item of a list has to stand in some passage.

    A date also stands in a passage that was written on it. A yes or no stands nowhere and is taken as said.
    """
    if value is None or isinstance(value, bool):
        return value is not None
    if isinstance(value, list):
        return bool(value) and all(stands_in(item, passages) for item in value)
    return any(_stands(as_text(value), *passage) for passage in passages)


def same_number(a: Number, b: Number) -> bool:
    """Whether two numbers agree; a missing unit agrees with any."""
    return a.value == b.value and (a.unit is None or b.unit is None or a.unit == b.unit)


def has_words(text: str, words: str) -> bool:
    """Whether words stand in a text as whole words, in any case and with any spaces between."""
    wanted = _ARTICLE.sub("", fold_line(words))
    if not wanted:
        return False
    left = r"(?<!\w)" if wanted[0].isalnum() else ""
    right = r"(?!\w)" if wanted[-1].isalnum() else ""
    return re.search(left + re.escape(wanted) + right, _line(text)) is not None


def numbers_of(text: str, base: date | None) -> Iterator[Number]:
    """The numbers that a text says; those inside its dates are none."""
    yield from _spelled(text)
    for span in typed_spans(text[:LONGEST], base):
        if span.kind in ("money", "percent", "duration", "number"):
            yield _number(span.text, span.value, span.unit)


def dates_of(text: str, base: date | None) -> Iterator[Date]:
    """The dates that a text says, those without a year as such and as the day of writing completes them."""
    for found in find_dates(fold(text[:LONGEST])):
        yield found.date
    for span in dates_in(text[:LONGEST], base):
        if span.precision in ("day", "month", "year"):
            parts = [int(part) for part in span.iso.split("-")]
            yield Date(*(parts + [None] * (3 - len(parts))))  # type: ignore[arg-type]


def _stands(value: str, text: str, time: str | None) -> bool:
    base = day_of_time(time)
    if has_words(text, value):
        return True
    number = parse_number(value)
    if number is not None and any(same_number(number, one) for one in _all_numbers(text)):
        return True
    wanted = parse_date(value)
    if wanted is None:
        return False
    own = [Date(base.year, base.month, base.day)] if base else []
    return any(said.says(wanted) for said in (*dates_of(text, base), *own))


def _all_numbers(text: str) -> Iterator[Number]:
    yield from _spelled(text)
    for _, start, end, value, unit in amounts_in(text[:LONGEST]):
        yield _number(text[start:end], value, unit)


def _spelled(text: str) -> Iterator[Number]:
    """Numbers of several words, as in ``one hundred and twenty``."""
    for run in _NUMBER_WORDS.finditer(text[:LONGEST]):
        number = parse_number(run[0])
        if number is not None:
            yield number


def _number(shown: str, value: str, unit: str) -> Number:
    return parse_number(shown) or Number(value, unit or None)


@lru_cache(maxsize=4096)
def _line(text: str) -> str:
    return " ".join(fold(text).split())
