"""A reward for each step by rules over its evidence: what was missing counts before how much else came along.

AiO-Mem (Wang et al. 2026, section 3.4, stage 1) scores steps by deterministic rules over the gold evidence missing,
newly exposed and newly written, but gives no formulas; these are this project's own. Every reward is an integer from 1
to 100, rounded half up in exact arithmetic, because floats put some halves just below themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor

from designsearch.runtime.episodes.states import ActionType
from designsearch.search.training.judging.step_facts import StepFacts

SEARCH_NEEDLESS = 20
SEARCH_IN_VAIN = 30
SEARCH_IN_VAIN_AGAIN = 10
SEARCH_AGAIN_AT_MOST = 60
ADD_UNSEEN = 15
ADD_SAVED_ALREADY = 10
ADD_BESIDE_GOLD = 20
ADD_WITHOUT_GOLD = 35
SKIP_RIGHT = 95
STOP_RIGHT = 100
STOP_WITHOUT_GOLD_BUT_NOTES = 60


def rule_rewards(steps: Iterable[StepFacts]) -> tuple[tuple[ActionType, int], ...]:
    """The rule's reward of each step of an episode, with the step's type.

    Args:
        steps: in order.

    Returns:
        (type, reward) a step, rewards in 1..100.
    """
    return tuple((step.type, rule_reward(step)) for step in steps)


def rule_reward(step: StepFacts) -> int:
    """The rule's reward of one step, an integer in 1..100.

    With *missing* the gold not saved before the step and *available* what of it the search shows:

    * ``search``: 20 when nothing is missing; 30 when nothing available (10 for a repeated query); else
      50 + 40 available/missing + 10 (units that show missing gold)/(units found), at most 60 for a repeated query.
    * ``add``: 15 when it cites what the search did not show; with new gold 40 + 50 new/available + 10 new/cited; 10
      when it cites only what is saved already; else 20 where gold was available and 35 where none was. Where notes
      give way to new ones, what these carry over of the earlier ones does not count as cited; where all give way, 20
      when gold that was saved is gone, and as a ``skip`` when they are written again as they are.
    * ``skip``: 95 when nothing was available, else 39 (1 - available/missing), at least 1.
    * ``stop``: 100 when all gold is saved, else 1 + 59 saved gold/gold; without any gold 100 when there is no note,
      else 60.
    """
    rules = {"search": _search, "add": _add, "skip": _skip, "stop": _stop}
    return floor(rules[step.type](step) + Fraction(1, 2))


def _search(step: StepFacts) -> Fraction:
    if not step.missing:
        return Fraction(SEARCH_NEEDLESS)
    if not step.available:
        return Fraction(SEARCH_IN_VAIN_AGAIN if step.repeated else SEARCH_IN_VAIN)
    recall = Fraction(len(step.available), len(step.missing))
    precision = Fraction(step.exposure.hits(step.missing), len(step.exposure.units))
    reward = 50 + 40 * recall + 10 * precision
    return min(reward, Fraction(SEARCH_AGAIN_AT_MOST)) if step.repeated else reward


def _add(step: StepFacts) -> Fraction:
    if step.unseen:
        return Fraction(ADD_UNSEEN)
    if step.drops:
        return Fraction(ADD_BESIDE_GOLD)
    new = len(step.missing & step.cited)
    if new:
        return 40 + 50 * Fraction(new, len(step.available)) + 10 * Fraction(new, len(step.written))
    if step.unchanged:
        return _skip(step)
    if step.cited <= step.saved:
        return Fraction(ADD_SAVED_ALREADY)
    return Fraction(ADD_BESIDE_GOLD if step.available else ADD_WITHOUT_GOLD)


def _skip(step: StepFacts) -> Fraction:
    if not step.available:
        return Fraction(SKIP_RIGHT)
    return max(Fraction(1), 39 * (1 - Fraction(len(step.available), len(step.missing))))


def _stop(step: StepFacts) -> Fraction:
    if not step.gold:
        return Fraction(STOP_WITHOUT_GOLD_BUT_NOTES if step.saved else STOP_RIGHT)
    if not step.missing:
        return Fraction(STOP_RIGHT)
    return 1 + 59 * Fraction(len(step.gold) - len(step.missing), len(step.gold))
