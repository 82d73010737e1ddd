"""The rewards of episodes, by the rule or by whoever judges in its place."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import RewardJudge
from designsearch.search.training.judging.quality import scored
from designsearch.search.training.judging.trajectory_reward import TrajectoryReward, trajectory_reward


def rule_reward(episode: Judged) -> TrajectoryReward:
    """The action-balanced mean of the rule's rewards of the steps."""
    return trajectory_reward(episode.rule_scores())


def episode_rewards(episodes: Sequence[Judged], judge: RewardJudge | None) -> list[TrajectoryReward | None]:
    """The reward of each episode; ``None`` for one that the judge could not judge.

    Args:
        episodes: what was done.
        judge: who judges; ``None`` for the rule, which leaves none out.
    """
    if judge is None:
        return [rule_reward(one) for one in episodes]
    opinions = judge.judge(episodes)
    return [trajectory_reward(scored(opinion.steps)) if opinion.ok else None for opinion in opinions]
