"""Whose words a question asks for: the asker's own where the history is one person's, else those of a named person."""

from __future__ import annotations

from dataclasses import dataclass, field

from designsearch.runtime.records import History
from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.shares import has_assistant

FEW = 4
"""Speakers up to whom a history is a talk among them, in which each is named all the time."""
_NICKNAME = 3
"""Letters of a name that a shorter form of it has, at least."""


@dataclass(frozen=True)
class Asker:
    """Who is spoken of.

    Attributes:
        alone: whether all records that are asked about are the asker's own: talks with an assistant, or notes.
        short: the shortest name that stands for each author alone.
        speakers: the words of the names of those who talk among themselves; empty where they are many.
    """

    alone: bool
    short: dict[str, str]
    speakers: frozenset[str] = field(default=frozenset())

    @classmethod
    def of(cls, history: History) -> Asker:
        """For a history: with an assistant, or with one author at most, it is the asker's own."""
        names = {history.authors.names[code] for code in set(history.authors.codes.tolist())}
        authors = sorted(name for name in names if name.strip())
        first = [author.split()[0] for author in authors]
        short = {a: f if first.count(f) == 1 else a for a, f in zip(authors, first, strict=True)}
        talking = authors if len(authors) <= FEW else ()
        speakers = frozenset(word for author in talking for word in author.casefold().split())
        return cls(has_assistant(history) or len(authors) < 2, short, speakers)

    def name(self, source: Source) -> str:
        """``I``, or the name of who says this record."""
        if self.alone or not source.author.strip():
            return "I"
        return self.short.get(source.author, source.author)

    def is_speaker(self, name: str, author: str) -> bool:
        """Whether a name, or a short form of it, is the author's own or one of those who talk with each other."""
        words = self.speakers | set(author.casefold().split())
        return all(_stands_for(one, words) for one in name.casefold().split())


def _stands_for(word: str, names: frozenset[str] | set[str]) -> bool:
    return word in names or (len(word) >= _NICKNAME and any(name.startswith(word) for name in names))
