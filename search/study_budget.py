"""Hard caps of a study: work is not begun that would pass one of them."""

from __future__ import annotations

from dataclasses import dataclass

from designsearch.search.study_shape import BudgetShape


@dataclass(frozen=True, slots=True)
class Spent:
    """What a piece of work took.

    Attributes:
        trials: revisions scored.
        seconds: time of proposing and evaluating.
        calls: calls to models.
        usd: US dollars.
    """

    trials: int = 0
    seconds: float = 0.0
    calls: int = 0
    usd: float = 0.0

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(
            self.trials + other.trials,
            self.seconds + other.seconds,
            self.calls + other.calls,
            self.usd + other.usd,
        )

    def most(self, other: Spent) -> Spent:
        """The larger of each."""
        return Spent(
            max(self.trials, other.trials),
            max(self.seconds, other.seconds),
            max(self.calls, other.calls),
            max(self.usd, other.usd),
        )


@dataclass(slots=True)
class Account:
    """What a study has spent, and whether it may begin another trial.

    The next trial is reckoned to take what the most expensive one took.

    Attributes:
        budget: the caps.
        spent: all work so far, of earlier runs too.
        largest: the most that one trial took.
    """

    budget: BudgetShape
    spent: Spent = Spent()
    largest: Spent = Spent()

    def add(self, work: Spent) -> None:
        """Enter a piece of work."""
        self.spent = self.spent.plus(work)
        self.largest = self.largest.most(work)

    def reached(self) -> tuple[str, str] | None:
        """The cap that forbids another trial: its name and a sentence; ``None`` where none does."""
        budget, spent, next_ = self.budget, self.spent, self.largest
        if spent.trials >= budget.trials:
            return "trials", f"all {budget.trials} trials are used"
        if budget.minutes is not None and spent.seconds + next_.seconds > budget.minutes * 60:
            used = f"{spent.seconds / 60:.1f} of {budget.minutes:g} minutes are used"
            return "minutes", f"{used} and a trial may take {next_.seconds / 60:.1f}"
        if budget.llm_calls is not None and spent.calls + next_.calls > budget.llm_calls:
            return "llm_calls", f"{spent.calls} of {budget.llm_calls} calls are used and a trial may take {next_.calls}"
        if budget.usd is not None and spent.usd + next_.usd > budget.usd:
            return "usd", f"${spent.usd:.2f} of ${budget.usd:g} are spent and a trial may cost ${next_.usd:.2f}"
        return None
