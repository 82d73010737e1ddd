"""How small a gain a paired comparison of n questions can detect; a study prints it before it starts."""

from __future__ import annotations

from math import ceil, log2, sqrt
from statistics import NormalDist
from typing import NamedTuple

POWER = 0.8
CHANGED = 0.2
"""Share of questions that a revision is assumed to change, one way or the other, before anything is known."""


class DetectableGain(NamedTuple):
    """Two answers to one question, both as a share of the questions.

    Attributes:
        least: the smallest gain that the test accepts at all, reached when no question is lost.
        likely: the smallest true gain that the test accepts with the given power; ``None`` where there is none.
    """

    least: float
    likely: float | None


def detectable_gain(
    questions: int, alpha: float, *, power: float = POWER, changed: float = CHANGED
) -> DetectableGain | None:
    """The smallest gain that a one-sided exact McNemar test of ``questions`` pairs can detect.

    ``least`` is ``ceil(log2(1 / alpha)) / questions``: b gains without a loss have p = 2^-b. ``likely`` solves
    ``sqrt(n) d = z(1 - alpha) sqrt(changed) + z(power) sqrt(changed - d^2)`` for the true gain d (Connor 1987): at
    least ``least``, at most ``changed``. For metrics between 0 and 1 that are no yes or no both are an upper bound of
    what a sign-flip test needs, since their differences vary less.

    Args:
        questions: number of pairs.
        alpha: the error allowed, between 0 and 1.
        power: the wanted chance of acceptance.
        changed: the share of questions whose result changes.

    Returns:
        ``None`` where so few questions can show no gain at all.
    """
    needed = ceil(log2(1 / alpha))
    if questions < needed or questions == 0:
        return None
    least = max(needed, 1) / questions
    z_alpha, z_power = NormalDist().inv_cdf(1 - alpha), NormalDist().inv_cdf(power)

    def margin(gain: float) -> float:
        """Rises with the gain; 0 at the gain wanted."""
        return sqrt(questions) * gain - z_alpha * sqrt(changed) - z_power * sqrt(max(changed - gain**2, 0.0))

    if margin(changed) < 0:
        return DetectableGain(least, None)
    low, high = 0.0, changed
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if margin(middle) >= 0 else (middle, high)
    return DetectableGain(least, max(high, least))
