"""A bandit over other proposers: who brought more accepted gain for its work is asked more often."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from designsearch.search.proposers.base import Attempt, Proposal, ProposalState, Proposer

_UNKNOWN = 0.02
"""Gain that an untried proposer may bring, as long as nothing was accepted."""

_MEMORY = 0.8
"""How much a trial still counts when another one has passed: what lifted the base may be used up."""

_CURIOSITY = 0.25
"""Weight of what is not known against what is."""


class MixedProposer:
    """Discounted UCB (Garivier and Moulines 2011) on accepted gain per unit of work.

    Evaluating a design is the unit of work; a proposer that calls a model adds its calls, as a share of those that the
    evaluation took (``Attempt.work``). Seconds or money paid would make a study depend on the machine and on what a
    cache held. Nothing is drawn at random.

    Args:
        proposers: whom to ask; earlier ones first where nothing else tells them apart.
    """

    name = "mixed"

    def __init__(self, proposers: Sequence[Proposer]) -> None:
        self.proposers = tuple(proposers)

    def propose(self, state: ProposalState) -> Proposal | None:
        """The proposal of the most promising proposer that has one; ``None`` where none has."""
        names = [proposer.name for proposer in self.proposers]
        worth = upper_bounds(names, state.attempts)
        ranked = sorted(self.proposers, key=lambda one: (-worth[one.name], names.index(one.name)))
        return next((made for one in ranked if (made := one.propose(state)) is not None), None)


def upper_bounds(names: Sequence[str], attempts: Sequence[Attempt]) -> dict[str, float]:
    """How much gain a unit of work each proposer may bring, at the optimistic end of what is known.

    ``mean + curiosity * scale * sqrt(2 ln T / n)``: a trial t trials ago counts ``0.8 ** t`` in the mean of gain per
    work, and so does its work in the amounts n of one proposer and T of all; ``scale`` is the largest gain per work
    remembered. Infinite for a proposer that was never asked.
    """
    work: dict[str, float] = dict.fromkeys(names, 0.0)
    gains: dict[str, float] = dict.fromkeys(names, 0.0)
    scale = 0.0
    for age, attempt in enumerate(reversed(attempts)):
        name, weight = attempt.proposal.proposer, _MEMORY**age
        if name in work:
            work[name] += weight * attempt.work
            gains[name] += weight * _gain(attempt)
            scale = max(scale, weight * _gain(attempt) / attempt.work)
    total = max(1.0, sum(work.values()))
    curiosity = _CURIOSITY * (scale or _UNKNOWN)
    return {
        name: gains[name] / done + curiosity * sqrt(2 * log(total) / done) if done else inf
        for name, done in work.items()
    }


def _gain(attempt: Attempt) -> float:
    return max(0.0, attempt.gain or 0.0) if attempt.accepted else 0.0
