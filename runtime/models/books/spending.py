"""What calls take: their number, tokens and US dollars, and the limits on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from designsearch.runtime.models.settings import Price

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Caps:
    """Hard limits over all runs of a study; ``None`` for no limit.

    Attributes:
        usd: US dollars.
        calls: calls sent to a model, repeated ones included.
    """

    usd: float | None = None
    calls: int | None = None


NO_CAPS = Caps()


@dataclass(frozen=True, slots=True)
class Spending:
    """What calls took: their number, US dollars, tokens read and tokens written."""

    calls: int = 0
    usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Spending) -> Spending:
        """Both together."""
        return Spending(
            self.calls + other.calls,
            self.usd + other.usd,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    def __sub__(self, other: Spending) -> Spending:
        """The one without the other."""
        return self + Spending(-other.calls, -other.usd, -other.input_tokens, -other.output_tokens)


@dataclass(frozen=True, slots=True)
class Tally:
    """What was asked of one role for one purpose.

    Attributes:
        role: the role.
        purpose: name of the prompt, or ``embed``.
        work: what it was booked on, as in ``trial 7``; empty where it is summed over all.
        replies: replies handed out, failed and cached ones included.
        cached: those of them that came out of the cache.
        failed: failed ones by kind.
        spent: calls really made, with their tokens and cost.
        seconds: time that the calls took, added up.
    """

    role: str
    purpose: str
    work: str = ""
    replies: int = 0
    cached: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    spent: Spending = Spending()
    seconds: float = 0.0


def total(tallies: Iterable[Tally]) -> Spending:
    """All that some tallies spent."""
    return sum((tally.spent for tally in tallies), Spending())


def cost(price: Price | None, input_tokens: int, output_tokens: int) -> float:
    """US dollars for tokens; 0 without a price."""
    if price is None:
        return 0.0
    return (price.input * input_tokens + price.output * output_tokens) / MILLION
