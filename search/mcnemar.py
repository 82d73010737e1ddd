"""One-sided exact McNemar test: are there more gains than losses than chance would make?"""

from __future__ import annotations

from math import comb


def mcnemar(gains: int, losses: int) -> float:
    """The chance of at least ``gains`` gains among the questions that changed, were a gain and a loss equally likely.

    ``P(X >= gains)`` for ``X ~ Binomial(gains + losses, 1/2)``; questions right or wrong under both designs say
    nothing. Source: McNemar 1947, with the exact binomial tail.

    Args:
        gains: questions that the new design alone answers right.
        losses: questions that the old design alone answers right.

    Returns:
        The p-value, 1 where no question changed.
    """
    changed = gains + losses
    return sum(comb(changed, k) for k in range(gains, changed + 1)) / (1 << changed)
