"""Episodes sampled for learning, in groups of one question, each with its reward and its tape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.episodes.states import Trajectory
from designsearch.runtime.policies.heads import Menu, Picks
from designsearch.runtime.policies.weights import Weights
from designsearch.runtime.records import FloatArray
from designsearch.search.training.judging.episode_rewards import episode_rewards
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.judging.trajectory_reward import TrajectoryReward
from designsearch.search.training.learned.bench import Bench


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


def sample(
    bench: Bench,
    weights: Weights,
    rows: Sequence[int],
    group: int,
    chance: np.random.Generator,
    judge: RewardJudge | None = None,
) -> list[Sampled]:
    """Sample a group of episodes for each of some questions.

    Args:
        bench: the history.
        weights: of the policy that acts.
        rows: the questions.
        group: episodes a question.
        chance: draws them.
        judge: rewards them in place of the rule; what it cannot judge is left out of its group.
    """
    repeated = np.repeat(np.array(rows, np.int64), group)
    episodes, policy = bench.episodes(weights, repeated, chance)
    judged = [bench.judged(row, one) for row, one in zip(repeated.tolist(), episodes, strict=True)]
    rewards = episode_rewards(judged, judge)
    made = []
    for start in range(0, len(judged), group):
        kept = [(j, reward) for j in range(start, start + group) if (reward := rewards[j]) is not None]
        made.append(
            Sampled(
                tuple(reward for _, reward in kept),
                tuple(tuple(policy.tape.get(j, ())) for j, _ in kept),
                tuple(_old(episodes[j]) for j, _ in kept),
                tuple(judged[j] for j, _ in kept),
            )
        )
    return made


def _old(episode: Trajectory) -> FloatArray:
    return np.array([choice.logp for step in episode.steps for choice in step.choices], np.float64)
