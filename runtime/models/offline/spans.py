"""Typed spans: what in a text is a date, a time, an amount, a name, a quoted title or a listed item.

The kinds, and the canonical ``value`` of each:

======== ======================== ================================================ ==============
kind      example                  value                                            unit
======== ======================== ================================================ ==============
date      ``yesterday``            ISO 8601, ``--03-05`` without a year, or empty
                                   where nothing tells which date it is
time      ``1:56 pm``              ``13:56``
money     ``$1.2k``                decimal number                                   ``usd``
percent   ``50 percent``           decimal number                                   ``%``
duration  ``four years``           decimal number                                   ``year``
number    ``1,234 km``             decimal number                                   ``km`` or empty
name      ``Dr. Linda Padilla``    the text
title     ``"The Dispossessed"``   the text inside the quotation marks
item      ``pottery``              the text of one entry of an enumeration
======== ======================== ================================================ ==============
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from designsearch.runtime.models.offline.amounts import amounts_in
from designsearch.runtime.models.offline.calendar_words import MONTH, month_number
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.items import items_in
from designsearch.runtime.models.offline.names import names_in

Kind = Literal["date", "time", "money", "percent", "duration", "number", "name", "title", "item"]

_TIME = re.compile(
    r"(?<![\d:])(?P<h>\d{1,2})(?::(?P<m>[0-5]\d))?(?::[0-5]\d)?(?:\s?(?P<half>[ap])\.?m\b\.?)?(?![\d:])", re.I
)
_YEARLESS = re.compile(
    rf"\b{MONTH}\s?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s?(?:of\s+)?"
    + MONTH.replace("<month>", "<month2>"),
    re.I,
)
_AMBIGUOUS = re.compile(r"(?<![\d/.])\d{1,2}(?:/\d{1,2}/(?:19|20)?|\.\d{1,2}\.(?:19|20))\d\d(?![\d/])")
_TITLE = re.compile(
    r"[\"“](?P<a>[^\"“”\n]{2,80})[\"”]|(?<!\w)['‘](?P<b>[^'‘’\"\n]{2,80})['’](?!\w)|«\s?(?P<c>[^«»\n]{2,80}?)\s?»"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text and what it means; see the module's table."""

    kind: Kind
    start: int
    end: int
    text: str
    value: str
    unit: str = ""


def typed_spans(text: str, base: date | None = None) -> list[Span]:
    """All typed spans of a text, in order of their place.

    Args:
        text: any text; English is understood best, digits and quotation marks everywhere.
        base: the day on which it was written, for relative dates; see :func:`dates.local_day`.

    Returns:
        Spans that do not overlap, except that a ``title`` or an ``item`` may hold others.
    """
    taken: list[Span] = []
    covered = bytearray(len(text))
    amounts = list(_amounts(text))
    measured = [s for s in amounts if s.unit]
    bare = [s for s in amounts if not s.unit]  # after the names: the 13 of "iPhone 13" is no number
    for found in (_dates(text, base), _incomplete_dates(text), _times(text), measured, _names(text), bare):
        for span in found:
            if not any(covered[span.start : span.end]):
                covered[span.start : span.end] = b"\1" * (span.end - span.start)
                taken.append(span)
    return sorted([*taken, *_titles(text), *_items(text)], key=lambda s: (s.start, -s.end, s.kind))


def _dates(text: str, base: date | None) -> Iterator[Span]:
    for found in dates_in(text, base):
        yield Span("date", found.start, found.end, found.text, found.iso)


def _incomplete_dates(text: str) -> Iterator[Span]:
    for match in _YEARLESS.finditer(text):
        month = month_number(match["month"] or match["month2"])
        day = int(match["day"] or match["day2"])
        if 1 <= day <= 31 and (match["month"] or match["month2"])[0].isupper():
            yield Span("date", *match.span(), match[0], f"--{month:02d}-{day:02d}")
    for match in _AMBIGUOUS.finditer(text):
        yield Span("date", *match.span(), match[0], "")


def _times(text: str) -> Iterator[Span]:
    for match in _TIME.finditer(text):
        hour, half = int(match["h"]), (match["half"] or "").lower()
        if not (match["m"] or half) or hour > (12 if half else 23):
            continue
        hour = hour % 12 + 12 * (half == "p") if half else hour
        yield Span("time", *match.span(), match[0], f"{hour:02d}:{match['m'] or '00'}")


def _amounts(text: str) -> Iterator[Span]:
    for kind, start, end, value, unit in amounts_in(text):
        yield Span(kind, start, end, text[start:end], value, unit)


def _names(text: str) -> Iterator[Span]:
    for start, end in names_in(text):
        yield Span("name", start, end, text[start:end], text[start:end])


def _titles(text: str) -> Iterator[Span]:
    for match in _TITLE.finditer(text):
        inside = (match["a"] or match["b"] or match["c"]).strip(" ,.")
        if inside:
            yield Span("title", *match.span(), match[0], inside)


def _items(text: str) -> Iterator[Span]:
    for start, end in items_in(text):
        yield Span("item", start, end, text[start:end], text[start:end])
