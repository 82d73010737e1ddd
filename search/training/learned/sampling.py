"""Episodes sampled for learning, in groups of one question, each with its reward and its tape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.episodes.states import Trajectory
from designsearch.runtime.policies.heads import Menu, Picks
from designsearch.runtime.policies.weights import Weights
from designsearch.runtime.records import FloatArray
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.trajectory_reward import TrajectoryReward, trajectory_reward
from designsearch.search.training.learned.bench import Bench

Reward = Callable[[Judged], TrajectoryReward]
"""From an episode to its reward."""


@dataclass(frozen=True)
class Sampled:
    """The episodes of one question.

    Attributes:
        rewards: one an episode.
        tapes: the choices of each.
        old: log-probabilities of those choices under the policy that acted, shape (choices,) each.
        episodes: what was done.
    """

    rewards: tuple[TrajectoryReward, ...]
    tapes: tuple[tuple[Menu | Picks, ...], ...]
    old: tuple[FloatArray, ...]
    episodes: tuple[Judged, ...]

    @property
    def values(self) -> FloatArray:
        """Shape (episodes,): the rewards that learning looks at."""
        return np.array([one.value for one in self.rewards], np.float64)


def rule_reward_of(episode: Judged) -> TrajectoryReward:
    """The action-balanced mean of the rule's rewards of the steps."""
    return trajectory_reward(episode.rule_scores())


def sample(
    bench: Bench, weights: Weights, rows: Sequence[int], group: int, chance: np.random.Generator, reward: Reward
) -> list[Sampled]:
    """Sample a group of episodes for each of some questions.

    Args:
        bench: the history.
        weights: of the policy that acts.
        rows: the questions.
        group: episodes a question.
        chance: draws them.
        reward: judges them.
    """
    repeated = np.repeat(np.array(rows, np.int64), group)
    episodes, policy = bench.episodes(weights, repeated, chance)
    made = []
    for i, row in enumerate(rows):
        own = range(i * group, (i + 1) * group)
        judged = tuple(bench.judged(row, episodes[j]) for j in own)
        made.append(
            Sampled(
                tuple(reward(one) for one in judged),
                tuple(tuple(policy.tape.get(j, ())) for j in own),
                tuple(_old(episodes[j]) for j in own),
                judged,
            )
        )
    return made


def _old(episode: Trajectory) -> FloatArray:
    return np.array([choice.logp for step in episode.steps for choice in step.choices], np.float64)
