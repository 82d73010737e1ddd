"""The reward of an episode, balanced over its types of action.

AiO-Mem (Wang et al. 2026, equation 4): the mean, over the types present, of the normalised mean score of that type, so
that many cheap steps of one type do not outweigh the one of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType

LOWEST, HIGHEST = 1, 100
"""The bounds of a step's score, for every type of action."""


@dataclass(frozen=True, slots=True)
class TrajectoryReward:
    """The reward of an episode.

    Attributes:
        by_type: (mean score - 1) / 99 of each type of action present, in 0..1.
        value: their mean, in 0..1.
    """

    by_type: dict[ActionType, float]
    value: float


def trajectory_reward(steps: Iterable[tuple[ActionType, float]]) -> TrajectoryReward:
    """The action-balanced reward of an episode.

    Args:
        steps: type and score of each step, scores in 1..100.

    Raises:
        ValueError: no step, or a score that is not in 1..100.
    """
    scores: dict[ActionType, list[float]] = {kind: [] for kind in ACTION_TYPES}
    for kind, score in steps:
        if not LOWEST <= score <= HIGHEST:
            raise ValueError(f"the score of a step is {score}, not in {LOWEST}..{HIGHEST}")
        scores[kind].append(score)
    by_type = {
        kind: (sum(present) / len(present) - LOWEST) / (HIGHEST - LOWEST) for kind, present in scores.items() if present
    }
    if not by_type:
        raise ValueError("an episode without a step has no reward")
    return TrajectoryReward(by_type, sum(by_type.values()) / len(by_type))
