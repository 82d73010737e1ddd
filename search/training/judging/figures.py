"""What episodes did, for the curve of a training: rewards, actions, and how far the evidence came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType, Stop
from designsearch.search.training.judging.episode_rewards import rule_reward
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.trajectory_reward import TrajectoryReward


def episode_figures(episodes: Sequence[Judged], rewards: Sequence[TrajectoryReward]) -> dict[str, Any]:
    """Figures of some episodes, as plain JSON: means over episodes.

    ``reward`` and ``reward_by_type`` (of those that took such a step); ``actions``, how many of each; ``forced``, the
    share that ended by force; ``found`` and ``kept``, the shares of the evidence that a search exposed and that the
    notes cite; ``observed``, tokens that the policy was shown.

    Cheap rewards show: a policy that learns to search and skip has many of both, and keeps nothing of what it finds.

    Args:
        episodes: at least one.
        rewards: theirs, in order.
    """
    actions = Counter(step.action.type for one in episodes for step in one.trajectory.steps)
    forced = sum(_forced(one) for one in episodes)
    return {
        "reward": fmean(one.value for one in rewards),
        "reward_by_type": {kind: _mean(kind, rewards) for kind in ACTION_TYPES},
        "actions": {kind: actions[kind] / len(episodes) for kind in ACTION_TYPES},
        "forced": forced / len(episodes),
        "found": fmean(one.found for one in episodes),
        "kept": fmean(one.recall for one in episodes),
        "observed": fmean(one.trajectory.observed for one in episodes),
    }


def held_out_figures(episodes: Sequence[Judged]) -> dict[str, Any]:
    """Figures of episodes of held-out questions: as :func:`episode_figures` by the rule, and ``answered``.

    ``answered`` is the share of the reference answer's content that the noted records say; ``None`` where no answer
    could stand in a text. With ``found`` and ``kept`` it says where evidence is lost on its way to the answer.

    Args:
        episodes: at least one.
    """
    said = [share for one in episodes if (share := one.answered) is not None]
    figures = episode_figures(episodes, [rule_reward(one) for one in episodes])
    return {**figures, "answered": fmean(said) if said else None}


def _mean(kind: ActionType, rewards: Sequence[TrajectoryReward]) -> float | None:
    values = [one.by_type[kind] for one in rewards if kind in one.by_type]
    return fmean(values) if values else None


def _forced(judged: Judged) -> bool:
    last = judged.trajectory.steps[-1].action
    return isinstance(last, Stop) and bool(last.forced)
