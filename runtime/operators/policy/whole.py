"""Nothing half done: where the study's budget is used up, a policy's ranking is not made of what was found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.episodes.states import Decision, State
from designsearch.runtime.policies.rollout import Policy, PolicyError


@dataclass(frozen=True, slots=True)
class Whole:
    """A policy that passes on that the budget is used up, as every stage that asks a model does.

    A forced stop would make a worse ranking that was kept and compared as if the design had earned it.

    Attributes:
        policy: who decides.
    """

    policy: Policy

    @property
    def fingerprint(self) -> str:
        """That of the policy."""
        return self.policy.fingerprint

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """What the policy decides.

        Raises:
            OutOfBudgetError: the budget is used up.
            PolicyError: as the policy.
        """
        try:
            return self.policy.act(states, rows)
        except PolicyError as error:
            if isinstance(error.__cause__, OutOfBudgetError):
                raise error.__cause__ from None
            raise
