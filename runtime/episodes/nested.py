"""What policies inside other stages did, as inside a branch.

A stage that runs a cascade of its own gives a ranking, or queries, and has no place for what happened within. So the
pipeline listens while a stage is computed, and keeps what it heard beside the result: whatever a stage does with inner
cascades, its policies are seen, and a result that is found in the cache still has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from designsearch.runtime.episodes.explored import STEP_BYTES
from designsearch.runtime.episodes.states import Trajectory

T = TypeVar("T")


@dataclass(frozen=True)
class Nested:
    """The episodes of a policy inside another stage.

    Attributes:
        path: where it stands within the stage, as in ``branches.talk[0]``.
        op: its operator.
        episodes: of all questions that reached it; several of one question where it was asked several times.
        ranks: whether what it keeps is what the stage ranks; not where it only helps to word queries.
    """

    path: str
    op: str
    episodes: tuple[Trajectory, ...]
    ranks: bool = True

    @property
    def nbytes(self) -> int:
        """Bytes held, roughly."""
        return STEP_BYTES * sum(len(one.steps) for one in self.episodes)

    def about(self, question: str, as_of: int) -> list[Trajectory]:
        """The episodes of a question, equal ones once: where it stands twice in a batch, each has the same."""
        return self._by_question.get((question, as_of), [])

    @cached_property
    def _by_question(self) -> dict[tuple[str, int], list[Trajectory]]:
        found: dict[tuple[str, int], list[Trajectory]] = {}
        for one in self.episodes:
            own = found.setdefault((one.final.question, one.final.as_of), [])
            if one not in own:
                own.append(one)
        return found


_HEARD: ContextVar[list[Nested] | None] = ContextVar("nested_policies", default=None)


def listening(make: Callable[[], T]) -> tuple[T, tuple[Nested, ...]]:
    """What a function gives, and the policies that played in the cascades that it ran."""
    heard: list[Nested] = []
    token = _HEARD.set(heard)
    try:
        made = make()
    finally:
        _HEARD.reset(token)
    return made, _joined(heard)


def tell(played: Iterable[Nested]) -> None:
    """Tell whoever listens what policies of a cascade did."""
    heard = _HEARD.get()
    if heard is not None:
        heard += played


def _joined(heard: Iterable[Nested]) -> tuple[Nested, ...]:
    """One entry a policy, however often its cascade was run."""
    by_place: dict[tuple[str, str, bool], list[Trajectory]] = {}
    for one in heard:
        by_place.setdefault((one.path, one.op, one.ranks), []).extend(one.episodes)
    return tuple(Nested(path, op, tuple(own), ranks) for (path, op, ranks), own in by_place.items())
