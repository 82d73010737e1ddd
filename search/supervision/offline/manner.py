"""How far a question goes from the words of its evidence.

People ask in other words than they once wrote in, some more so than others; a question that repeats its evidence makes
every design that matches words look perfect. So each question has a manner of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Manner:
    """One asker's way with words.

    Attributes:
        other: share of the words that are replaced by a neighbour in meaning.
        lost: share of the words without a neighbour that are left out where they would be replaced.
        names: share of the names that are kept.
        echoes: whether words of the answer that the record got may stand for its own.
    """

    other: float
    lost: float
    names: float
    echoes: bool

    @classmethod
    def of(cls, chance: Random) -> Manner:
        """One by chance: from half of the record's own words to none of them."""
        return cls(chance.uniform(0.5, 1.0), chance.random(), chance.choice((0.0, 0.3, 1.0)), chance.random() < 0.6)


VERBATIM = Manner(0.0, 0.0, 1.0, echoes=False)
"""The record's own words."""
