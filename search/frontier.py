"""What nothing else beats: designs that no other is at least as good as in everything and better in something."""

from __future__ import annotations

import math
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

    Length counts in steps of 2 % of the longest context and time in doublings from 5 ms on, so that no design stays
    because of a few tokens or of noise.
    """
    longest = max((point.tokens for point in of), default=1.0) or 1.0
    steps = {id(point): _steps(point, longest) for point in of}
    kept = [p for p in of if not any(_beats(steps[id(q)], steps[id(p)]) for q in of if q is not p)]
    return sorted(kept, key=lambda point: point.worse)


def _steps(point: Point, longest: float) -> tuple[float, ...]:
    """The point as numbers that had better be small, in steps that mean something."""
    doublings = math.floor(math.log2(max(point.seconds, QUICK) / QUICK))
    return -point.quality, math.floor(point.tokens / longest / SHORTER), doublings, point.cost


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """At least as good in everything and better in something."""
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))
