"""Whoever judges episodes in place of the rule: what it says, or why it says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.quality import Judgement


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge says of an episode.

    Attributes:
        steps: the scores of its steps; empty where there are none.
        failure: why there are none; empty where there are.
    """

    steps: Judgement = ()
    failure: str = ""

    @property
    def ok(self) -> bool:
        """Whether the episode was judged."""
        return not self.failure


class RewardJudge(Protocol):
    """Scores every step of episodes by question, reference answer, gold evidence and the whole episode."""

    @property
    def fingerprint(self) -> str:
        """Stands for everything that its opinions depend on beside the episodes."""
        ...

    def judge(self, episodes: Sequence[Judged]) -> list[Opinion]:
        """One opinion an episode, in order; an episode that could not be judged says why."""
        ...

    def told(self) -> str:
        """A line about the episodes that could not be judged so far, for people; empty where there are none."""
        ...
