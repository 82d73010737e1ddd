"""What pieces of work took."""

from __future__ import annotations

from dataclasses import dataclass


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
