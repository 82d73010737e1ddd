"""Numbers that a proposal leaves open, as in ``k: {tune: [20, 200]}``: found in its edits, drawn by Optuna."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designsearch.dsl.edit import Edit
from designsearch.dsl.paths import Path, show_path
from designsearch.dsl.problems import UserError
from designsearch.search.catalogue import Range, Tunable
from designsearch.search.proposers.base import ProposalState
from designsearch.search.proposers.sampler import suggest
from designsearch.search.study_choices import SamplerOptions

_KEY = "tune"
_LARGEST = 1e15


@dataclass(frozen=True, slots=True)
class OpenNumber:
    """A number between two."""

    low: float
    high: float

    @property
    def whole(self) -> bool:
        """Whether both ends are whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)


def open_numbers(edits: Sequence[Edit]) -> tuple[list[Edit], list[OpenNumber]]:
    """The edits with an :class:`OpenNumber` in each place that was left open, and those in order.

    Raises:
        UserError: one is not of the form ``{tune: [LOW, HIGH]}``.
    """
    found: list[OpenNumber] = []

    def opened(value: Any) -> Any:
        if isinstance(value, dict) and set(value) == {_KEY}:
            found.append(_open(value[_KEY]))
            return found[-1]
        return _inside(value, opened)

    return [replace(edit, value=opened(edit.value)) for edit in edits], found


def _open(ends: Any) -> OpenNumber:
    numbers = isinstance(ends, list) and len(ends) == 2 and all(_is_number(end) for end in ends)
    if not numbers or ends[0] > ends[1]:
        raise UserError(f"{{tune: {str(ends)[:100]}}}: write {{tune: [LOW, HIGH]}}, two numbers, the lower one first")
    return OpenNumber(*ends)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _inside(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: change(inner) for key, inner in value.items()}
    return [change(inner) for inner in value] if isinstance(value, list) else value


def closed(edits: Sequence[Edit], values: Sequence[Any]) -> list[Edit]:
    """The edits with a value for each open number, in order."""
    left = iter(values)

    def close(value: Any) -> Any:
        return next(left) if isinstance(value, OpenNumber) else _inside(value, close)

    return [replace(edit, value=close(edit.value)) for edit in edits]


def mark(number: int) -> str:
    """A text that stands for an open number while its place in the design is looked for."""
    return f"open number {number}"


def places(tree: Any, count: int) -> list[Path | None]:
    """Where the marks of the open numbers stand in a tree; ``None`` for one that a later edit took out."""
    found = {value: path for path, value in _leaves(tree, ()) if isinstance(value, str)}
    return [found.get(mark(number)) for number in range(count)]


def _leaves(tree: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(tree, dict | list):
        for step, inner in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _leaves(inner, (*path, step))
    else:
        yield path, tree


def settings(
    numbers: Sequence[OpenNumber],
    at: Sequence[Path | None],
    known: Mapping[Path, Tunable],
    takes_fractions: Callable[[int], bool],
) -> list[Tunable]:
    """The open numbers as settings that can be drawn; a scale is logarithmic where the operator says so.

    Args:
        numbers: the open numbers.
        at: their places.
        known: what a search may turn in the design, by place.
        takes_fractions: whether the design stays valid with a fraction for that number; asked where nothing is known.
    """
    made = []
    for i, (number, path) in enumerate(zip(numbers, at, strict=True)):
        one = known.get(path) if path is not None else None
        if one is not None and not one.range.choices:
            whole, log, name = one.range.integer, one.range.log, one.name
        else:
            whole = number.whole and not takes_fractions(i)
            log, name = False, show_path(path) if path is not None else mark(i)
        log = log and number.low >= (1 if whole else 1e-12)
        made.append(Tunable(name, path or (), number.low, Range(number.low, number.high, log, whole)))
    return made


def drawn(state: ProposalState, chosen: Sequence[Tunable], seed: int) -> list[Any]:
    """A value for each setting, by Optuna's sampler from what was scored so far."""
    by_name = suggest(state, chosen, SamplerOptions(), seed)
    return [min(max(by_name[one.name], one.range.low), one.range.high) for one in chosen]
