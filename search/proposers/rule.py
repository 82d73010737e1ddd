"""A line of the rules' table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.workpiece import Workpiece

Expected = Callable[[Profile, Workpiece], float]
Change = Callable[[Workpiece, Profile], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """What to try for which failures.

    Attributes:
        name: as proposals name it.
        does: the change in words.
        because: the reason in words, with figures of the profile in braces.
        hopes: what should become better.
        expected: the share of the failures that it may repair, given their profile; 0 where it does not apply. The
            figures are rough on purpose: they order the attempts, the validation questions decide.
        change: makes the edits.
        calls_model: whether what it adds calls the helper; such rules come last, as calls take time and money.
    """

    name: str
    does: str
    because: str
    hopes: str
    expected: Expected
    change: Change
    calls_model: bool = False


def rule(
    name: str, does: str, because: str, hopes: str, expected: Expected, *, calls_model: bool = False
) -> Callable[[Change], Rule]:
    """Make the decorated change a line of the table."""
    return lambda change: Rule(name, does, because, hopes, expected, change, calls_model)


def has(piece: Workpiece, op: str) -> bool:
    """Whether the cascade has a stage of that name."""
    return any(stage.get("op") == op for stage in piece.stages)
