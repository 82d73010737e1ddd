"""What nothing else beats: designs that no other is at least as good as in everything and better in something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.search.run_record import Tried

SHORTER = 0.02
"""Share of the longest context by which a context must be shorter to count as shorter."""

QUICK = 0.005
"""Seconds below which nobody minds."""


@dataclass(frozen=True, slots=True)
class Point:
    """A design by what counts: quality up, the rest down.

    Attributes:
        tried: the design.
        quality: mean of the objective.
        tokens: mean length of a context.
        seconds: median time of a question, in the batch that it was measured in.
        cost: US dollars a question.
    """

    tried: Tried
    quality: float
    tokens: float
    seconds: float
    cost: float

    @property
    def worse(self) -> tuple[float, ...]:
        """Everything as a number that had better be small."""
        return -self.quality, self.tokens, self.seconds, self.cost


def points(tried: Sequence[Tried]) -> list[Point]:
    """The designs that were scored, as points; of designs that mean the same, the first."""
    found: dict[str, Point] = {}
    for one in tried:
        if one.value is None or one.design_hash in found:
            continue
        counted = one.report
        found[one.design_hash] = Point(
            one,
            quality=one.value,
            tokens=counted.mean_context_tokens or 0.0,
            seconds=counted.seconds_p50 or 0.0,
            cost=counted.cost / counted.questions,
        )
    return list(found.values())


def frontier(of: Sequence[Point]) -> list[Point]:
    """The points that none of the others beats, best quality first.

    A context counts as shorter by 2 % of the longest one, a search as quicker where it takes less than half the time
    and the other more than 5 ms, so that no design stays because of a few tokens or of noise.
    """
    slack = SHORTER * max((point.tokens for point in of), default=0.0)
    kept = [p for p in of if not any(_beats(q, p, slack) for q in of if q is not p)]
    return sorted(kept, key=lambda point: point.worse)


def _beats(one: Point, other: Point, slack: float) -> bool:
    """At least as good in everything and better in something."""
    if one.quality < other.quality or one.cost > other.cost:
        return False
    if one.tokens > other.tokens + slack or _quicker(other, one):
        return False
    better = one.quality > other.quality or one.cost < other.cost
    return better or one.tokens < other.tokens - slack or _quicker(one, other)


def _quicker(one: Point, other: Point) -> bool:
    return other.seconds > max(QUICK, 2 * one.seconds)
