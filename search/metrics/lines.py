"""The lines of contexts, taken apart once: the contexts of a batch of questions show the same units again and again.

Nothing that is looked for in a context depends on what stands beyond a line break, but for dates: one may be broken
over two lines, which are then read together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from designsearch.search.metrics.dates import Date, Found, find_dates, may_continue, may_go_on
from designsearch.search.metrics.fold import fold
from designsearch.search.metrics.numbers import plain
from designsearch.search.metrics.words import spaced

LONG = 1000
"""Characters from which on a line is not kept."""

KEPT = 1 << 16
"""Lines that are kept."""

_RUN = re.compile(r"\d[\d:,.]*")
_NUMBER = re.compile(r"\d{1,2}:\d{2}|(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?")


class Line(NamedTuple):
    """A line in normal form.

    Attributes:
        folded: the line, folded.
        words: its words with one space between; see ``spaced``.
        open_end, open_start: whether a date may go on in the next line, or may have begun in the line before.
    """

    folded: str
    words: str
    open_end: bool
    open_start: bool


class Figures(NamedTuple):
    """The dates and, outside of them, the numbers in digits that a piece of text holds."""

    dates: frozenset[Date]
    numbers: frozenset[str]


def lines_of(text: str) -> list[Line]:
    """The lines of a text in normal form."""
    return [_kept_line(line) if len(line) <= LONG else _line(line) for line in text.split("\n")]


def joined_words(lines: Iterable[Line]) -> str:
    """The words of lines with spaces before, between and after them."""
    return f" {' '.join(line.words for line in lines)} "


def figures_of(lines: Iterable[Line]) -> Figures:
    """The dates and numbers of lines."""
    found = [_kept_figures(piece) if len(piece) <= LONG else figures(piece) for piece in _pieces(lines)]
    return Figures(
        frozenset().union(*(part.dates for part in found)), frozenset().union(*(part.numbers for part in found))
    )


def figures(folded: str) -> Figures:
    """The dates and, outside of them, the numbers in digits of a folded text.

    Numbers are canonical digits, clock times as ``8:30``. The 5 of ``ps5`` is part of a word.
    """
    dates = list(find_dates(folded))
    return Figures(
        dates=frozenset(found.date._replace(clock="") for found in dates),
        numbers=frozenset(_in_digits(outside(folded, dates))),
    )


def outside(text: str, dates: list[Found]) -> str:
    """The text without those dates, which stand in it in order."""
    starts = [0, *(date.end for date in dates)]
    ends = [*(date.start for date in dates), len(text)]
    return " ".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def _line(text: str) -> Line:
    folded = fold(text)
    return Line(folded, spaced(folded)[1:-1], may_go_on(folded), may_continue(folded))


_kept_line = lru_cache(maxsize=KEPT)(_line)
_kept_figures = lru_cache(maxsize=KEPT)(figures)


def _pieces(lines: Iterable[Line]) -> Iterator[str]:
    """The folded lines, those that may share a date together."""
    piece: list[str] = []
    is_open = False
    for line in lines:
        if piece and not (is_open and line.open_start):
            yield "\n".join(piece)
            piece = []
        piece.append(line.folded)
        is_open = line.open_end
    if piece:
        yield "\n".join(piece)


def _in_digits(text: str) -> set[str]:
    runs = (run[0] for run in _RUN.finditer(text) if run.start() == 0 or not _in_word(text[run.start() - 1]))
    return {_canonical(number) for run in runs for number in _NUMBER.findall(run)}


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _canonical(number: str) -> str:
    return number.removeprefix("0") if ":" in number else plain(number) or number
