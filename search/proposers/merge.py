"""Put together what helped a little: revisions of one incumbent that each gained, though not surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from designsearch.dsl.edit import Edit
from designsearch.dsl.paths import Path
from designsearch.search.proposers.base import Attempt, ProposalState
from designsearch.search.proposers.workpiece import Workpiece

_MOST = 6
"""Revisions of which pairs are made, the best first."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Revisions whose edits fit together.

    Attributes:
        expected: the share of what is left to gain that they gained together.
        attempts: the revisions, in the order in which their edits are made.
        name: as proposals remember it, by the places of the revisions among all proposals. Trial numbers would not do:
            an interruption uses one up, and the study would go on differently.
    """

    expected: float
    attempts: tuple[Attempt, ...]
    name: str

    def change(self, piece: Workpiece) -> None:
        """Make all edits.

        Raises:
            UserError: an edit finds nothing to change.
        """
        for attempt in self.attempts:
            for edit in _edits(attempt):
                piece.apply(edit)


def merges(state: ProposalState) -> list[Merge]:
    """Pairs of revisions of the incumbent that gained, and all of them that fit together."""
    good = [
        attempt
        for attempt in state.attempts
        if attempt.parent == state.design.hash
        and not attempt.accepted
        and attempt.gain is not None
        and attempt.gain > 0
        and attempt.proposal.edits
    ]
    good.sort(key=lambda attempt: (-(attempt.gain or 0.0), attempt.number))
    groups = [pair for pair in combinations(good[:_MOST], 2) if _fit(*pair)]
    everything: list[Attempt] = []
    for attempt in good:
        if all(_fit(attempt, other) for other in everything):
            everything.append(attempt)
    if len(everything) > 2:
        groups.append(tuple(everything))  # type: ignore[arg-type]
    room = max(1e-9, 1 - state.score)
    places = {attempt.number: place for place, attempt in enumerate(state.attempts)}
    return [
        Merge(
            sum(a.gain or 0.0 for a in group) / room,
            _ordered(group),
            "merge " + "+".join(str(place) for place in sorted(places[a.number] for a in group)),
        )
        for group in groups
    ]


def _ordered(group: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """Those that move stages come last, as they change the places that the others name."""
    return tuple(sorted(group, key=lambda attempt: (_moves_stages(attempt), attempt.number)))


def _fit(one: Attempt, other: Attempt) -> bool:
    """Whether the edits of both can be made: at most one moves stages, and they do not touch the same place."""
    if _moves_stages(one) and _moves_stages(other):
        return False
    return not any(_touch(a, b) for a in _places(one) for b in _places(other))


def _places(attempt: Attempt) -> list[Path]:
    return [edit.path for edit in _edits(attempt) if edit.op != "insert"]


def _touch(one: Path, other: Path) -> bool:
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def _moves_stages(attempt: Attempt) -> bool:
    return any(edit.op != "set" for edit in _edits(attempt))


def _edits(attempt: Attempt) -> list[Edit]:
    return [Edit.from_json(dict(edit)) for edit in attempt.proposal.edits]
