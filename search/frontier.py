"""What nothing else beats: designs that no other is at least as good as in everything and better in something.

Nothing that depends on what a cache held when a design was measured is compared: of two equal designs the one that was
measured first would lose. The time that a study noted is of that kind, as a batch shares work and the first design of a
kind builds what the others find; a time counts where all designs were timed anew, each question alone (``latency.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from designsearch.dsl.design import Design
from designsearch.dsl.needs import stages_of
from designsearch.dsl.operators import Registry
from designsearch.search.run_record import Tried

FEWER = 0.02
"""Share of the largest number by which another must be smaller to count as smaller."""

QUICK = 0.005
"""Seconds below which nobody minds."""


@dataclass(frozen=True, slots=True)
class Point:
    """A design by what counts: quality up, the rest down.

    Attributes:
        tried: the design.
        quality: mean of the objective.
        tokens: mean length of a context.
        calls: calls to models a question: those that answering took, and the most that its search may ask for.
        cost: US dollars a question that answering took.
        seconds: median time of a question that is asked alone; ``None`` where that was not measured.
    """

    tried: Tried
    quality: float
    tokens: float
    calls: float = 0.0
    cost: float = 0.0
    seconds: float | None = None

    @property
    def worse(self) -> tuple[float, ...]:
        """Everything as a number that had better be small."""
        return -self.quality, self.tokens, self.calls, self.cost, self.seconds or 0.0


def points(
    tried: Sequence[Tried], registry: Registry, timed: Callable[[Design], float | None] = lambda _: None
) -> list[Point]:
    """The designs that were scored, as points; of designs that mean the same, the first.

    Args:
        tried: as a study left them.
        registry: what designs may be made of.
        timed: the median time of a question that a design is asked alone; ``None`` where that says nothing.

    Raises:
        InvalidFileError: a design is not valid any more.
    """
    found: dict[str, Point] = {}
    for one in tried:
        if one.value is None or one.design_hash in found:
            continue
        counted, design = one.report, one.design(registry)
        found[one.design_hash] = Point(
            one,
            quality=one.value,
            tokens=counted.mean_context_tokens or 0.0,
            calls=counted.calls / counted.questions + searching_calls(design),
            cost=counted.cost / counted.questions,
            seconds=timed(design),
        )
    return list(found.values())


def searching_calls(design: Design) -> int:
    """The most calls to a model that searching for one question takes; what is kept of them is not known here."""
    return sum(
        stage.params.model_work().requests
        for path, stage in stages_of(design)
        if path[0] == "retrieval" and stage.needs_model
    )


def frontier(of: Sequence[Point]) -> list[Point]:
    """The points that none of the others beats, best quality first.

    A number counts as smaller by 2 % of the largest one, a search as quicker where it takes less than half the time and
    the other more than 5 ms, so that no design stays because of a few tokens or of noise.
    """
    slack = [FEWER * max((bulk[i] for bulk in map(_bulk, of)), default=0.0) for i in range(3)]
    kept = [p for p in of if not any(_beats(q, p, slack) for q in of if q is not p)]
    return sorted(kept, key=lambda point: point.worse)


def _bulk(point: Point) -> tuple[float, float, float]:
    return point.tokens, point.calls, point.cost


def _beats(one: Point, other: Point, slack: Sequence[float]) -> bool:
    """At least as good in everything and better in something."""
    if one.quality < other.quality or _quicker(other, one):
        return False
    less = [theirs - own for own, theirs in zip(_bulk(one), _bulk(other), strict=True)]
    if any(by < -most for by, most in zip(less, slack, strict=True)):
        return False
    better = one.quality > other.quality or _quicker(one, other)
    return better or any(by > most for by, most in zip(less, slack, strict=True))


def _quicker(one: Point, other: Point) -> bool:
    if one.seconds is None or other.seconds is None:
        return False
    return other.seconds > max(QUICK, 2 * one.seconds)
