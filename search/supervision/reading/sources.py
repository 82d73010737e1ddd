"""Records as a reader by rules sees them: sentences, their words, who says them and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

from designsearch.runtime.models.offline.dates import DateSpan, dates_in
from designsearch.runtime.models.offline.sentences import sentences_of
from designsearch.runtime.models.offline.spans import Span, typed_spans
from designsearch.runtime.models.offline.words import is_negated, plain, words_of
from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.source_days import day_of

LONGEST_TEXT = 20_000
"""Characters of a record that are read."""
MOST_SENTENCES = 200

_END = re.compile(r"[.!?…][\"”’)]*\s+|[。！？؟]|\n+")
_ABBREVIATION = re.compile(r"\b(?:dr|mr|mrs|ms|prof|st|e\.g|i\.e|vs|no|[A-Z])\.\s+$", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """One sentence of a record.

    Attributes:
        text: its words, untouched.
        day: the day on which the record was written; ``None`` where unknown.
    """

    text: str
    day: date | None

    @cached_property
    def words(self) -> list[str]:
        """Casefolded, in order."""
        return words_of(self.text)

    @cached_property
    def spans(self) -> list[Span]:
        """What in it is a date, a number, a name, a title or a listed item."""
        return typed_spans(self.text, self.day)

    @cached_property
    def dates(self) -> list[DateSpan]:
        """The dates in it, resolved against the record's day."""
        return dates_in(self.text, self.day)

    @cached_property
    def negated(self) -> bool:
        """Whether it denies."""
        return is_negated(self.words)

    @property
    def asks(self) -> bool:
        """Whether it is a question itself."""
        return self.text.rstrip("\"'”’) ").endswith(("?", "？", "؟"))


@dataclass(frozen=True)
class ReadSource:
    """A record, read.

    Attributes:
        lines: its sentences.
        author: casefolded words of its author's name.
        day: on which it was written.
    """

    lines: tuple[Line, ...]
    author: tuple[str, ...]
    day: date | None

    @cached_property
    def days(self) -> tuple[tuple[int, int], ...]:
        """First and last day of each time that it tells of, its own first; days count from the year 1."""
        own = [(self.day.toordinal(), self.day.toordinal())] if self.day else []
        return (*own, *((d.first.toordinal(), d.last.toordinal()) for line in self.lines for d in line.dates))


def read_source(source: Source) -> ReadSource:
    """A record, read; the same text is read once."""
    return _read(source.text, source.author, day_of(source))


def words_in(sources: Sequence[ReadSource]) -> Iterator[str]:
    """All words of some records."""
    for source in sources:
        yield from source.author
        for line in source.lines:
            yield from line.words


@lru_cache(maxsize=20_000)
def _read(text: str, author: str, day: date | None) -> ReadSource:
    lines: list[Line] = []
    for sentence in sentences_of(plain(text[:LONGEST_TEXT]), _END, _ABBREVIATION):
        if any(c.isalnum() for c in sentence):
            lines.append(Line(sentence, day))
        if len(lines) == MOST_SENTENCES:
            break
    return ReadSource(tuple(lines), tuple(words_of(author)), day)
