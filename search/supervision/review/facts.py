"""Whether a fact's quotes say it: its names, numbers, dates and words, and nothing to the contrary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.runtime.models.offline.names import names_in
from designsearch.runtime.models.offline.words import STOP, stems_of, words_of
from designsearch.search.metrics.dates import parse_date
from designsearch.search.metrics.typed import as_text
from designsearch.search.supervision.checks.value_in_text import Passage, dates_of, numbers_of, same_number, stands_in
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.plans import Fact
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.review.fact_denials import contradicts
from designsearch.search.supervision.review.fact_roles import exchanged
from designsearch.search.supervision.review.fact_words import REPORT, unsaid
from designsearch.search.supervision.review.quoted import SPEAKERS, Quoted
from designsearch.search.supervision.source_days import day_of, day_of_time

NEW = 0.1
"""The statement's first word, in capitals anyway, is a name where it is this far from all of its sources' words."""

_CLOCK = re.compile(r"(?<=\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_OTHER_DAY = re.compile(r"\b(?:yesterday|tomorrow|last\s+night|\w+\s+days?\s+ago|in\s+\w+\s+days)\b", re.IGNORECASE)
_SAME_DAY = re.compile(r"\b(?:today|tonight|this\s+(?:morning|afternoon|evening)|just|now)\b", re.IGNORECASE)


def supported(fact: Fact, material: Material, soft: SoftWords) -> str:
    """Why the sources of a fact do not say its statement; empty where they do."""
    quoted = Quoted.of(fact, material)
    if not quoted.sources or not fact.statement.strip():
        return "nothing is cited or stated"
    statement = _CLOCK.sub("", fact.statement)
    wrong = _figures(statement, quoted) or _names(statement, quoted, soft)
    if wrong:
        return f"{wrong} does not stand in its source"
    value = _value(fact, quoted)
    if value:
        return value
    if contradicts(statement, [text for text, _ in quoted.sentences]):
        return "it denies its source, or that denies it"
    swapped = exchanged(statement, quoted)
    if swapped:
        return f"{' and '.join(swapped)} are the other way round in its source"
    word = unsaid(statement, _named(statement), quoted, soft)
    return f"{word} does not stand in what it quotes, nor a word for the same" if word else ""


def _figures(statement: str, quoted: Quoted) -> str:
    """A number or a date of the statement that no quote says."""
    base = next((day for source in quoted.sources if (day := day_of(source))), None)
    for said in dates_of(statement, base):
        if said.year is not None and not _dated(said.canonical(), statement, quoted):
            return said.canonical()
    held = [number for text, _ in quoted.sentences for number in numbers_of(text, base)]
    for number in numbers_of(statement, base):
        alike = [one for one in held if one.value == number.value]
        if any(same_number(number, one) for one in alike):
            continue
        if alike or not stands_in(number.value, quoted.sentences):
            return number.value
    return ""


def _dated(day: str, statement: str, quoted: Quoted) -> bool:
    """Whether the quotes say a date; the day of writing is no date of what was done ``yesterday``."""
    if REPORT.search(statement):
        return stands_in(day, quoted.sentences)
    return any(stands_in(day, [(text, time)]) and not _moved(day, text, time) for text, time in quoted.sentences)


def _moved(day: str, text: str, time: str) -> bool:
    """Whether a text was written on a day, yet tells of another one in words that count from it."""
    own, said = day_of_time(time), parse_date(day)
    if own is None or said is None or (said.year, said.month, said.day) != (own.year, own.month, own.day):
        return False
    return bool(_OTHER_DAY.search(text)) and not _SAME_DAY.search(text)


def _value(fact: Fact, quoted: Quoted) -> str:
    """Why the value is not one of what is quoted; a yes or no is taken as said."""
    if fact.value is None or str(fact.value).lower() in ("yes", "no", "true", "false"):
        return ""
    quotes: list[Passage] = [(c.quote, s.time) for c in fact.citations for s in quoted.sources if s.record == c.record]
    if not stands_in(fact.value, quotes):
        return "its value does not stand in its quotes"
    day = parse_date(as_text(fact.value))
    if day is not None and day.day is not None and not _dated(as_text(fact.value), fact.statement, quoted):
        return "its value is the day of writing, and its quotes tell of another one"
    return ""


def _names(statement: str, quoted: Quoted, soft: SoftWords) -> str:
    """A word of a name in the statement that stands in no source and names no author.

    The statement's first word is in capitals anyway: it counts as a name where nothing in the sources is like it.
    """
    held = [*quoted.around, *quoted.authors]
    stems = frozenset(stems_of(held))
    names = list(_in_names(statement))
    for word, stem in zip(names, stems_of(names), strict=True):
        if stem not in stems and word not in SPEAKERS:
            return word
    first = next(iter(words_of(statement)), "")
    if not first or first in held or first in SPEAKERS or first in STOP or not statement.lstrip()[:1].isupper():
        return ""
    near = soft.similarity(soft.numbers([first]), soft.numbers(sorted(held))) if held else None
    return first if near is None or near.max() < NEW else ""


def _in_names(statement: str) -> Iterator[str]:
    for start, end in names_in(statement):
        yield from words_of(statement[start:end])


def _named(statement: str) -> list[str]:
    """Words of names, and the first, which may be one."""
    return [*_in_names(statement), *words_of(statement)[:1]]
