"""A stricter judgement than the rule's, made without a model from the whole episode.

The rule pays for evidence that is reached and hardly for what came along with it, and it looks at each step by itself.
This one stands in for a judge that has read everything. What it holds against an episode is this project's own:

* noise: an ``add`` that writes gold is worth F2 of what it writes (recall before precision), one that writes none is
  bad, and a ``stop`` with all evidence is worth as much less as the notes hold what is not gold;
* repetition: what an ``add`` writes down again counts as noise;
* fruitlessness: a ``search`` that showed missing evidence of which nothing was ever written is at best partial, and a
  right ``skip`` while evidence is missing is good, not excellent, as it brought the search no further;
* giving up: a ``stop`` with evidence missing while searches were left is worth half.

A wrong ``skip`` is never better than bad. Scores are integers in 1..100, rounded half up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from designsearch.runtime.episodes.states import ActionType, Trajectory
from designsearch.search.training.judging.judged import Judged
from designsearch.search.training.judging.opinions import Opinion
from designsearch.search.training.judging.quality import judgement
from designsearch.search.training.judging.rule_rewards import (
    ADD_BESIDE_GOLD,
    ADD_UNSEEN,
    SEARCH_AGAIN_AT_MOST,
    SKIP_RIGHT,
    STOP_RIGHT,
    STOP_WITHOUT_GOLD_BUT_NOTES,
    rule_reward,
)
from designsearch.search.training.judging.step_facts import Rows, StepFacts

FRUITLESS_AT_MOST = 70
"""Of a search that showed what no note ever kept: the top of the level ``partial``."""

BAD_AT_MOST = 30
"""Of a skip of what was wanted: the top of the level ``bad``."""

SKIP_ON_THE_WAY = 75
"""Of a right skip while evidence is missing."""


@dataclass(frozen=True, slots=True)
class StrictJudge:
    """Judges by these rules; see :class:`~designsearch.search.training.judging.opinions.RewardJudge`."""

    fingerprint: str = "strict-1"

    def judge(self, episodes: Sequence[Judged]) -> list[Opinion]:
        """One opinion an episode; none fails."""
        return [Opinion(judgement(strict_rewards(one.facts, one.trajectory))) for one in episodes]

    def told(self) -> str:
        """Nothing: none fails."""
        return ""


def strict_rewards(facts: Sequence[StepFacts], trajectory: Trajectory) -> tuple[tuple[ActionType, int], ...]:
    """The strict score of each step of an episode, with the step's type.

    Args:
        facts: of the episode's steps, in order.
        trajectory: the episode.
    """
    kept = frozenset(cited.record for note in trajectory.notes for cited in note.cited)
    scores = []
    for step, taken in zip(facts, trajectory.steps, strict=True):
        last = taken.state.step + 1 >= taken.state.max_steps
        scores.append((step.type, floor(_score(step, kept, last) + Fraction(1, 2))))
    return tuple(scores)


def _score(step: StepFacts, kept: Rows, last: bool) -> Fraction:
    if step.type == "search":
        return _search(step, kept)
    if step.type == "add":
        return _add(step)
    return _stop(step, last) if step.type == "stop" else _skip(step)


def _search(step: StepFacts, kept: Rows) -> Fraction:
    """In vain or needless as by the rule; else 50 + 30 recall of what is missing + 20 precision of the units."""
    if not step.available:
        return Fraction(rule_reward(step))
    recall = Fraction(len(step.available), len(step.missing))
    precision = Fraction(step.exposure.hits(step.missing), len(step.exposure.units))
    most = SEARCH_AGAIN_AT_MOST if step.repeated else 100 if step.available & kept else FRUITLESS_AT_MOST
    return min(50 + 30 * recall + 20 * precision, Fraction(most))


def _add(step: StepFacts) -> Fraction:
    """With new evidence 31 + 69 F2 of recall new/available and precision new/cited; else as by the rule, or bad."""
    new = len(step.missing & step.cited)
    if step.unseen:
        return Fraction(ADD_UNSEEN)
    if step.unchanged:
        return _skip(step)
    if not new or step.drops:
        return Fraction(min(rule_reward(step), ADD_BESIDE_GOLD))
    return 31 + 69 * Fraction(5 * new, 4 * len(step.available) + len(step.written))


def _skip(step: StepFacts) -> Fraction:
    """As by the rule when all evidence is saved; else good where nothing of it was shown, and bad where some was."""
    if step.available:
        return Fraction(min(rule_reward(step), BAD_AT_MOST))
    return Fraction(SKIP_ON_THE_WAY if step.missing else SKIP_RIGHT)


def _stop(step: StepFacts, last: bool) -> Fraction:
    """71 + 29 precision of the notes where all is covered; else by coverage, halved where searches were left."""
    if not step.gold:
        return Fraction(STOP_WITHOUT_GOLD_BUT_NOTES if step.saved else STOP_RIGHT)
    found = len(step.gold & step.saved)
    if not step.missing:
        return 71 + 29 * Fraction(found, len(step.saved))
    reward = 1 + 59 * Fraction(found, len(step.gold))
    return reward if last else max(reward / 2, Fraction(1))
