"""Episodes of a file with their rewards: the rule's, and a reward model's where the file holds its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from scipy.stats import pearsonr, spearmanr

from designsearch.episode_lines import is_unknown, read_episodes
from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType
from designsearch.search.training.judging.rule_rewards import rule_rewards
from designsearch.search.training.judging.step_facts import StepFacts
from designsearch.search.training.judging.trajectory_reward import trajectory_reward

Scores = tuple[tuple[ActionType, float], ...]
"""Type and score of each step."""

FEWEST = 3
"""Episodes from which on a correlation says anything."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One episode.

    Attributes:
        history, question_id: what it was about.
        rule: the rule's scores; none where the evidence is not known, which the rule goes by.
        model: a reward model's; ``None`` where the file has none.
        recall: share of the gold records that its notes cite at the end; ``None`` where the question has none.
        precision: share of the cited records that are gold; ``None`` likewise.
    """

    history: Any
    question_id: Any
    rule: Scores
    model: Scores | None
    recall: float | None
    precision: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        steps = [{"type": kind, "score": score} for kind, score in self.rule]
        for step, (_, score) in zip(steps, self.model or (), strict=False):
            step["model"] = score
        line = {"history": self.history, "question_id": self.question_id, "reward": reward(self.rule), "steps": steps}
        return line | ({"model_reward": reward(self.model)} if self.model else {})


@dataclass(frozen=True, slots=True)
class Agreement:
    """How rewards go with what the episodes kept of the evidence.

    Attributes:
        recall: Pearson's and Spearman's correlation with evidence recall; ``None`` where one of them does not vary.
        precision: the same with evidence precision.
    """

    recall: tuple[float, float] | None
    precision: tuple[float, float] | None


def reward(scores: Scores | None) -> float | None:
    """The action-balanced reward of an episode; ``None`` where it has no step."""
    return trajectory_reward(scores).value if scores else None


def scored_episodes(path: Path) -> list[Scored]:
    """The episodes of a file.

    Raises:
        UserError: it cannot be read, or a line is no episode.
    """
    return [_scored(line, facts) for line, facts in read_episodes(path)]


def _scored(line: dict[str, Any], facts: Sequence[StepFacts]) -> Scored:
    given = line.get("scores")
    model = None if given is None else tuple((step.type, float(s)) for step, s in zip(facts, given, strict=True))
    recall = precision = None
    if facts and facts[-1].gold:
        last = facts[-1]
        kept = last.saved | last.cited
        recall = len(last.gold & kept) / len(last.gold)
        precision = len(last.gold & kept) / len(kept) if kept else 0.0
    rule: Scores = () if is_unknown(line) else rule_rewards(facts)
    return Scored(line.get("history"), line.get("question_id"), rule, model, recall, precision)


def means(scores: Sequence[Scores]) -> dict[ActionType, float]:
    """The mean score of each type of action that was taken."""
    by_type = {kind: [score for own in scores for type_, score in own if type_ == kind] for kind in ACTION_TYPES}
    return {kind: fmean(found) for kind, found in by_type.items() if found}


def agreement(rewards: Sequence[float], episodes: Sequence[Scored]) -> Agreement:
    """How the rewards of episodes about questions with evidence go with recall and precision.

    Args:
        rewards: one an episode.
        episodes: of questions with evidence.
    """
    recalls = [one.recall or 0.0 for one in episodes]
    precisions = [one.precision or 0.0 for one in episodes]
    return Agreement(_correlations(rewards, recalls), _correlations(rewards, precisions))


def _correlations(one: Sequence[float], other: Sequence[float]) -> tuple[float, float] | None:
    if len(one) < FEWEST or len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return float(pearsonr(one, other).statistic), float(spearmanr(one, other).statistic)
