"""What counts about each step of an episode when it is judged by its evidence.

Evidence is told apart by record (AiO-Mem, section 3.4: the provenance projection Src and the uncovered gold evidence):
a record is shown when a unit found shows some of it, and saved when a note cites some of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from designsearch.runtime.episodes.states import ActionType, Add, Note, NotesRule, Search, Taken, Trajectory
from designsearch.runtime.records import Query

Rows = frozenset[int]
"""Rows of records in the history."""


@dataclass(frozen=True)
class Exposure:
    """What the latest search exposed.

    Attributes:
        units: the source records of each unit found, best first.
    """

    units: tuple[Rows, ...] = ()

    @cached_property
    def records(self) -> Rows:
        """The source records of all of them."""
        return frozenset().union(*self.units)

    def hits(self, wanted: Rows) -> int:
        """How many of the units show a record that is wanted."""
        return sum(1 for unit in self.units if unit & wanted)


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One step, as far as evidence goes.

    Attributes:
        type: what was done.
        gold: the gold records of the question; empty where it has none.
        saved: the records that the notes cite before the step.
        exposure: of the search itself, else of the latest search unless it was skipped.
        cited: the records that the step's notes cite, all its notes together; empty unless it adds.
        repeated: whether the step searches in the words of an earlier search.
        rule: what writing does to the notes that are there. Where they give way, new ones may cite what they cite.
    """

    type: ActionType
    gold: Rows
    saved: Rows = frozenset()
    exposure: Exposure = Exposure()
    cited: Rows = frozenset()
    repeated: bool = False
    rule: NotesRule = "append"

    @property
    def written(self) -> Rows:
        """Those of the cited records that are no earlier note's, carried over where notes give way."""
        return self.cited if self.rule == "append" else self.cited - self.saved

    @property
    def unseen(self) -> bool:
        """Whether it cites what the latest search did not show."""
        return not self.written <= self.exposure.records

    @property
    def drops(self) -> bool:
        """Whether gold evidence that was saved is gone by it."""
        return self.type == "add" and self.rule == "overwrite" and not self.gold & self.saved <= self.cited

    @property
    def unchanged(self) -> bool:
        """Whether it writes the notes again as they are, which is all that a policy can do that may not skip."""
        return self.type == "add" and self.rule == "overwrite" and self.cited == self.saved

    @property
    def missing(self) -> Rows:
        """The gold records that no note cites before the step."""
        return self.gold - self.saved

    @property
    def available(self) -> Rows:
        """Those of the missing gold records that the search exposed."""
        return self.missing & self.exposure.records


def facts_of(
    trajectory: Trajectory, gold: Iterable[int], records_of_unit: Callable[[int], Iterable[int]]
) -> tuple[StepFacts, ...]:
    """The facts of every step of an episode.

    Args:
        trajectory: the episode.
        gold: rows of the gold evidence's records; none where the question has no evidence.
        records_of_unit: global id of a unit to the rows of its source records.

    Returns:
        One a step, in order.
    """
    wanted = frozenset(gold)
    return tuple(_facts(step, wanted, records_of_unit) for step in trajectory.steps)


def _facts(step: Taken, gold: Rows, records_of_unit: Callable[[int], Iterable[int]]) -> StepFacts:
    action, state = step.action, step.state
    found = step.found if isinstance(action, Search) else state.candidates
    return StepFacts(
        type=action.type,
        gold=gold,
        saved=_cited(state.notes),
        exposure=Exposure(tuple(frozenset(records_of_unit(candidate.unit)) for candidate in found)),
        cited=_cited(action.notes) if isinstance(action, Add) else frozenset(),
        repeated=isinstance(action, Search) and _same(action.query) in {_same(s.query) for s in state.searches},
        rule=state.rule,
    )


def _cited(notes: tuple[Note, ...]) -> Rows:
    return frozenset(cited.record for note in notes for cited in note.cited)


def _same(query: Query) -> tuple[str, frozenset[str]]:
    # a query repeats another whatever its case, white space and kind, and however its terms are weighted: a policy must
    # not escape the penalty by a cosmetic change
    return " ".join(query.text.casefold().split()), frozenset(term for term, _ in query.terms)
