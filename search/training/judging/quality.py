"""The scale that steps are judged on, and the form in which a judgement of an episode is written.

The five levels and their bounds are those that AiO-Mem (Wang et al. 2026, appendix G.3) asks its reward model for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from designsearch.runtime.episodes.states import ActionType
from designsearch.search.training.judging.trajectory_reward import HIGHEST, LOWEST

Level = Literal["bad", "weak", "partial", "good", "excellent"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""From worst to best."""

BOUNDS: dict[Level, tuple[int, int]] = {
    "bad": (1, 30),
    "weak": (31, 55),
    "partial": (56, 70),
    "good": (71, 85),
    "excellent": (86, 100),
}
"""The lowest and the highest score of each level."""


@dataclass(frozen=True, slots=True)
class StepScore:
    """What a step is worth.

    Attributes:
        step_index: 1-based.
        step_type: what was done in it.
        quality_level: the level that the score lies in.
        score: in 1..100.
    """

    step_index: int
    step_type: ActionType
    quality_level: Level
    score: int


Judgement = tuple[StepScore, ...]
"""The scores of all steps of an episode, in order."""


def level_of(score: float) -> Level:
    """The level of a score, rounded half up.

    Raises:
        ValueError: it is not in 1..100.
    """
    if not LOWEST <= score <= HIGHEST:
        raise ValueError(f"the score of a step is {score}, not in {LOWEST}..{HIGHEST}")
    return next(level for level, (_, high) in BOUNDS.items() if int(score + 0.5) <= high)


def judgement(steps: Iterable[tuple[ActionType, float]]) -> Judgement:
    """The judgement of an episode by type and score of each step; scores are rounded half up.

    Raises:
        ValueError: a score is not in 1..100.
    """
    return tuple(
        StepScore(index, kind, level_of(score), int(score + 0.5)) for index, (kind, score) in enumerate(steps, 1)
    )


def scored(found: Judgement) -> tuple[tuple[ActionType, float], ...]:
    """Type and score of each step, as the reward of an episode takes them."""
    return tuple((step.step_type, float(step.score)) for step in found)


def differ(one: Sequence[StepScore], other: Sequence[StepScore]) -> bool:
    """Whether two judgements of an episode put some step on different levels.

    Raises:
        ValueError: they are not about the same steps.
    """
    steps = [[(step.step_index, step.step_type) for step in found] for found in (one, other)]
    if steps[0] != steps[1]:
        raise ValueError("two judgements of different steps cannot be compared")
    return any(a.quality_level != b.quality_level for a, b in zip(one, other, strict=True))


def written(found: Sequence[StepScore]) -> str:
    """A judgement as the JSON that a reward model writes."""
    return json.dumps({"step_scores": [asdict(step) for step in found]})
