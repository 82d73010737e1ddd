"""What a loader found: counts by kind, and everything odd, so that nothing is dropped in silence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

EXAMPLES = 5
"""Examples kept of each oddity."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that the reader of a history should know.

    Attributes:
        what: one line, the same for every case.
        count: how many cases there are.
        examples: the first few of them.
    """

    what: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        """``what: count (example, ...)``."""
        if not self.examples:
            return f"{self.what}: {self.count}"
        more = ", ..." if self.count > len(self.examples) else ""
        return f"{self.what}: {self.count} ({', '.join(self.examples)}{more})"


@dataclass
class LoadReport:
    """What was read and what was odd about it.

    Attributes:
        counts: number of each kind of thing read, as in ``records`` or ``questions``.
    """

    counts: Counter[str] = field(default_factory=Counter)
    _cases: Counter[str] = field(default_factory=Counter)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def count(self, kind: str, number: int = 1) -> None:
        """Add to a count."""
        self.counts[kind] += number

    def note(self, what: str, example: str = "", number: int = 1) -> None:
        """Note ``number`` cases of something odd, with an example of it."""
        self._cases[what] += number
        examples = self._examples.setdefault(what, [])
        if example and len(examples) < EXAMPLES and example not in examples:
            examples.append(example)

    @property
    def oddities(self) -> list[Oddity]:
        """Everything odd, in the order in which it was first met."""
        return [Oddity(what, self._cases[what], tuple(self._examples[what])) for what in self._cases]

    def merge(self, other: LoadReport) -> None:
        """Add what another report says."""
        self.counts.update(other.counts)
        for oddity in other.oddities:
            self.note(oddity.what, number=oddity.count)
            for example in oddity.examples:
                self.note(oddity.what, example, number=0)

    def lines(self) -> list[str]:
        """The report for people, one line a finding."""
        counts = ", ".join(f"{number} {kind}" for kind, number in self.counts.items())
        return [counts or "nothing read", *(str(oddity) for oddity in self.oddities)]
