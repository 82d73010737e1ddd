"""Whose words a question asks for: the asker's own where the history is one person's, else those of a named person."""

from __future__ import annotations

from dataclasses import dataclass

from designsearch.runtime.records import History
from designsearch.search.supervision.contracts import Source


@dataclass(frozen=True)
class Asker:
    """Who is spoken of.

    Attributes:
        alone: whether all records that are asked about are the asker's own: talks with an assistant, or notes.
        short: the shortest name that stands for each author alone.
    """

    alone: bool
    short: dict[str, str]

    @classmethod
    def of(cls, history: History) -> Asker:
        """For a history: with an assistant, or with one author at most, it is the asker's own."""
        used = {history.roles.names[code] for code in set(history.roles.codes.tolist())}
        authors = sorted({history.authors.names[code] for code in set(history.authors.codes.tolist())} - {""})
        first = [author.split()[0] for author in authors]
        short = {a: f if first.count(f) == 1 else a for a, f in zip(authors, first, strict=True)}
        return cls("assistant" in used or len(authors) < 2, short)

    def name(self, source: Source) -> str:
        """``I``, or the name of who says this record."""
        if self.alone or not source.author.strip():
            return "I"
        return self.short.get(source.author, source.author)
