"""What a policy leaves behind for a batch of questions: the rankings of its notes, and how it came to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.runtime.episodes.states import Trajectory
from designsearch.runtime.records import IntArray, Rankings

STEP_BYTES = 2_000
"""What a step of an episode takes in memory, roughly."""

Episodes = tuple[Trajectory | None, ...]
"""One a question; ``None`` for one that the stage did not apply to."""


@dataclass(frozen=True, slots=True)
class Explored(Rankings):
    """Rankings with the episodes that they come from.

    Attributes:
        episodes: shape (questions,).
    """

    episodes: Episodes = ()

    @classmethod
    def joined(cls, ranking: Rankings, episodes: Sequence[Trajectory | None]) -> Explored:
        """Rankings and their episodes."""
        return cls(ranking.offsets, ranking.ids, ranking.scores, tuple(episodes))

    @property
    def nbytes(self) -> int:
        """Bytes held, roughly."""
        arrays = self.offsets.nbytes + self.ids.nbytes + self.scores.nbytes
        return arrays + STEP_BYTES * sum(len(one.steps) for one in self.episodes if one is not None)


def spread_episodes(episodes: Episodes, rows: IntArray, questions: int) -> Episodes:
    """The episodes of some questions among all of a batch."""
    by_row = dict(zip(rows.tolist(), episodes, strict=True))
    return tuple(by_row.get(row) for row in range(questions))
