"""A context's text as sentences, each with the day and the author that its line or heading shows.

The layout is whatever a design's template made, so nothing is assumed but that a date at the start of a line dates the
line and what follows it, and that ``Name:`` before a text names its author. What a text says about itself is taken as
text: no marker, tag or instruction in it has any effect here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from designsearch.runtime.models.offline.calendar_words import MONTH, WEEKDAY
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.sentences import sentences_of

_MONTH_FIRST = MONTH.replace("<month>", "<month2>")
_DAY = (
    rf"(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH},?\s+\d{{4}}"
    rf"|{_MONTH_FIRST}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}})"
)
_CLOCK = r"\d{1,2}(?::\d\d){1,2}(?:\.\d{1,6})?(?:\s?[ap]\.?m\b\.?)?(?:Z|[+-]\d\d:?\d\d)?"
_DATED = re.compile(
    rf"^\W{{0,12}}(?:(?:session|conversation|date|time|day|on|when)\b(?:[^\w\n]{{0,4}}\d{{1,4}}\b)?\W{{0,6}})?"
    rf"(?:{_CLOCK}[\s,]+(?:on\s+)?)?(?:{WEEKDAY},?\s+)?(?P<day>{_DAY})(?:[T\s,]+(?:at\s+)?{_CLOCK})?(?:\s*\(?{WEEKDAY}\)?)?"
    r"(?P<end>[^\w\"“'‘«{<]*)",
    re.IGNORECASE,
)
_AUTHOR = re.compile(
    r"^\W{0,8}(?P<author>[^\W\d_][^\n:|(){}\[\]\"<>]{0,39}?)\s*(?:[(\[,]\s*(?P<when>[^)\]:]{6,40})[)\]]?\s*)?[:|]\s+(?=\S)"
)
_ROLES = frozenset("user assistant system human ai agent me you".split())
_SENTENCE_END = re.compile(r"[.!?…][\"”’)]*\s+|[。！？]")
_ABBREVIATION = re.compile(r"\b(?:dr|mr|mrs|ms|prof|st|e\.g|i\.e|vs|no)\.\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a context.

    Attributes:
        text: its words, untouched.
        item: number of the line's item; lines without a prefix of their own belong to the item before them.
        author: as the line shows it; empty where it shows none.
        day: the day that the line or its heading shows; ``None`` where neither does.
    """

    text: str
    item: int
    author: str
    day: date | None


def read_context(text: str) -> list[Sentence]:
    """The sentences of a context in order; headings are read and left out."""
    sentences: list[Sentence] = []
    item, author, day = 0, "", None
    for line in text.splitlines():
        if not line.strip():
            continue
        shown, who, rest = _prefix(line)
        if shown or who:
            item += 1
            author, day = who, shown or day
        sentences += [Sentence(s, item, author, day) for s in sentences_of(rest, _SENTENCE_END, _ABBREVIATION)]
    return sentences


def _prefix(line: str) -> tuple[date | None, str, str]:
    """The day and author that a line begins with, and the rest of it."""
    day, author, rest = None, "", line
    dated = _DATED.match(line)
    if dated:
        day = _only_day(dated["day"])
        rest = line[dated.end() :] if day else line
    named = _AUTHOR.match(rest)
    if named and _is_author(named["author"]):
        when = _only_day(named["when"]) if named["when"] else None
        if when or not named["when"]:
            day, author, rest = day or when, named["author"].strip(), rest[named.end() :]
    return day, author, rest


@lru_cache(maxsize=4096)
def _only_day(text: str) -> date | None:
    found = dates_in(text, None)
    return found[0].first if found and found[0].precision == "day" else None


def _is_author(name: str) -> bool:
    words = name.split()
    return 0 < len(words) <= 4 and (
        name.lower() in _ROLES or all(not w[0].islower() or w in ("van", "de", "von", "der") for w in words)
    )
