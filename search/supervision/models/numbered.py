"""Records as a prompt shows them: by number, each under a line that says when and by whom it was written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from designsearch.search.supervision.contracts import Source


@dataclass(frozen=True, slots=True)
class Numbered:
    """Sources by the numbers that a model knows them by, from 1.

    Attributes:
        sources: in the order shown.
    """

    sources: tuple[Source, ...]

    @property
    def texts(self) -> list[str]:
        """What is shown of each, to be quoted by the prompt; ids are not."""
        return [f"{_head(source)}\n{source.text}" for source in self.sources]

    def source(self, number: int) -> Source | None:
        """The source of that number; ``None`` where no source has it."""
        return self.sources[number - 1] if 1 <= number <= len(self.sources) else None

    def number(self, record: str) -> int:
        """The number of a record.

        Raises:
            ValueError: it is none of the sources.
        """
        return [source.record for source in self.sources].index(record) + 1

    def records(self, numbers: Iterable[int]) -> tuple[tuple[str, ...], int]:
        """The ids of those numbers, each once, and how many of the numbers name no source."""
        found = [self.source(number) for number in numbers]
        known = [source.record for source in found if source is not None]
        return tuple(dict.fromkeys(known)), len(found) - len(known)


def _head(source: Source) -> str:
    parts = [source.time or "time unknown", source.author or source.role]
    return " ".join(", ".join(part for part in parts if part).split())
