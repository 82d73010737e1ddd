"""A bandit over other proposers: who brought more accepted gain a trial is asked more often."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

from designsearch.search.proposers.base import Attempt, Proposal, Proposer, ProposalState

_UNKNOWN = 0.02
"""Gain that an untried proposer may bring, as long as nothing was accepted."""


class MixedProposer:
    """UCB1 (Auer et al. 2002) on accepted gain a trial, in units of the largest gain so far.

    Trials are the unit of work, since seconds would make a study depend on the machine. Nothing is drawn at random.

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
    """How much gain a trial each proposer may bring, at the optimistic end of what is known.

    ``mean + scale * sqrt(2 ln T / n)`` for n of T trials, infinite for one that was never asked.
    """
    gains = {name: [_gain(a) for a in attempts if a.proposal.proposer == name] for name in names}
    total = sum(map(len, gains.values()))
    scale = max((gain for own in gains.values() for gain in own), default=0.0) or _UNKNOWN
    return {
        name: sum(own) / len(own) + scale * sqrt(2 * log(total) / len(own)) if own else inf
        for name, own in gains.items()
    }


def _gain(attempt: Attempt) -> float:
    return max(0.0, attempt.gain or 0.0) if attempt.accepted else 0.0
