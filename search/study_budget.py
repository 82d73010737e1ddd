"""Hard caps of a study: work is not begun that would pass one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import ceil

from designsearch.runtime.models.books.spending import Spending
from designsearch.search.spent import Spent
from designsearch.search.study_shape import BudgetShape

Meter = Callable[[], Spending]
"""Says what models have taken over all runs."""


@dataclass(slots=True)
class Account:
    """What a study has spent, and whether it may begin another trial.

    The next trial is reckoned to take what the most expensive one took, and the claim at the end is kept aside for.

    Attributes:
        budget: the caps.
        spent: all work so far, of earlier runs too.
        largest: the most that one trial took.
        claim: calls and US dollars that the claim is reckoned to take.
        meter: what models took, which is more than the sum of finished trials where work was interrupted; ``None``
            where nobody measures it.
    """

    budget: BudgetShape
    spent: Spent = field(default_factory=Spent)
    largest: Spent = field(default_factory=Spent)
    claim: Spent = field(default_factory=Spent)
    meter: Meter | None = None

    def add(self, work: Spent) -> None:
        """Enter a piece of work."""
        self.spent = self.spent.plus(work)
        self.largest = self.largest.most(work)
        self.read_meter()

    def read_meter(self) -> None:
        """Take over what models took by their own meter."""
        if self.meter is not None:
            took = self.meter()
            self.spent = replace(self.spent, calls=took.calls, usd=took.usd)

    def reached(self) -> tuple[str, str] | None:
        """The cap that forbids another trial: its name and a sentence; ``None`` where none does."""
        self.read_meter()
        budget, spent, next_ = self.budget, self.spent, self.largest
        if spent.trials >= budget.trials:
            return "trials", f"all {budget.trials} trials are used"
        if budget.minutes is not None and spent.seconds + next_.seconds > budget.minutes * 60:
            may = f" and a trial may take {next_.seconds / 60:.1f}" if next_.seconds else ""
            return "minutes", f"{spent.seconds / 60:.1f} of {budget.minutes:g} minutes are used{may}"
        if budget.llm_calls is not None and spent.calls + next_.calls + self.claim.calls > budget.llm_calls:
            may = f" and a trial may take {next_.calls}" if next_.calls else ""
            kept = f"; {self.claim.calls} are kept for the claim" if self.claim.calls else ""
            return "llm_calls", f"{spent.calls} of {budget.llm_calls} calls are used{may}{kept}"
        if budget.usd is not None and spent.usd + next_.usd + self.claim.usd > budget.usd:
            may = f" and a trial may cost ${next_.usd:.2f}" if next_.usd else ""
            kept = f"; ${self.claim.usd:.2f} are kept for the claim" if self.claim.usd else ""
            return "usd", f"${spent.usd:.2f} of ${budget.usd:g} are spent{may}{kept}"
        return None


def claim_costs(calls: int, usd: float, *, validation: int, locked: int) -> Spent:
    """What the claim may take: two designs on each locked question, each as dear as the base on a validation question.

    Args:
        calls: that the base took on validation.
        usd: likewise, US dollars.
        validation: number of validation questions.
        locked: number of locked questions.
    """
    if not validation:
        return Spent()
    share = 2 * locked / validation
    return Spent(calls=ceil(calls * share), usd=usd * share)
