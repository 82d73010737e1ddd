"""What can be told of a step without knowing what is right: features of its state and its action.

Nothing here reads the gold answer or the evidence, so that a reward model over these features can score episodes of
questions that nobody has labelled. All features are small numbers; shares are of the weight of the question's telling
words (see :mod:`~designsearch.runtime.policies.telling`), closeness is the cosine between question and unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.design import RAW
from designsearch.runtime.episodes.states import ActionType, Add, Candidate, Search, Stop, Taken, Trajectory
from designsearch.runtime.memory import Memory
from designsearch.runtime.policies.facets import terms_of
from designsearch.runtime.policies.telling import Telling, share
from designsearch.runtime.records import FloatArray, Query
from designsearch.search.training.judging.judged import records_of

COMMON = (
    "progress",
    "question_words",
    "notes",
    "noted_records",
    "covered",
    "closest_note",
    "mean_note",
    "shown",
    "shown_records",
    "shown_covered",
    "shown_new",
    "shown_fresh",
    "closest_shown",
    "mean_shown",
    "closest_fresh",
)
"""Features of every step: how far the episode is, what its notes hold, what the latest search shows."""

OWN: dict[ActionType, tuple[str, ...]] = {
    "search": ("repeated", "query_new", "query_asked", "searches"),
    "add": (
        "written",
        "written_share",
        "written_records",
        "written_rank",
        "written_covered",
        "written_new",
        "written_close",
        "written_margin",
        "written_again",
    ),
    "skip": ("searches",),
    "stop": ("searches", "last", "forced"),
}
"""Features of the steps of one type, beside the common ones."""


def feature_names(kind: ActionType) -> tuple[str, ...]:
    """The features of steps of a type, in order."""
    return (*COMMON, *OWN[kind])


@dataclass(frozen=True)
class Seen:
    """A step with what it is measured by.

    Attributes:
        taken: the step.
        shown: what the latest search shows: that of the step itself where it searches.
        weights: the telling words of the question.
        close: unit to its closeness to the question.
    """

    taken: Taken
    shown: tuple[Candidate, ...]
    weights: Mapping[str, float]
    close: Mapping[int, float]

    @property
    def noted(self) -> tuple[int, ...]:
        """The units of the notes before the step."""
        return tuple(note.unit for note in self.taken.state.notes)


class StepFeatures:
    """Measures the steps of episodes in one memory.

    Args:
        memory: what was searched.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._telling = Telling(memory)
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._questions: dict[str, NDArray[np.float32]] = {}

    def of(self, trajectory: Trajectory) -> tuple[tuple[ActionType, FloatArray], ...]:
        """Type and features of each step, in order; the features as :func:`feature_names` says."""
        question = trajectory.final.question
        weights = self._telling.weights(question)
        units = {one.unit for taken in trajectory.steps for one in taken.found}
        close = self._close(question, units | {note.unit for note in trajectory.notes})
        return tuple((taken.action.type, self._measured(taken, weights, close)) for taken in trajectory.steps)

    def _measured(self, taken: Taken, weights: Mapping[str, float], close: Mapping[int, float]) -> FloatArray:
        shown = taken.found if isinstance(taken.action, Search) else taken.state.candidates
        seen = Seen(taken, shown, weights, close)
        values = self._common(seen) | self._own(seen)
        return np.array([values[name] for name in feature_names(taken.action.type)], np.float64)

    def _common(self, seen: Seen) -> dict[str, float]:
        state, noted = seen.taken.state, seen.noted
        units = [one.unit for one in seen.shown]
        fresh = [unit for unit in units if unit not in noted]
        held, shown = self._held(noted, seen.weights), self._held(units, seen.weights)
        return {
            "progress": state.step / state.max_steps,
            "question_words": log1p(len(seen.weights)),
            "notes": log1p(len(noted)),
            "noted_records": log1p(self._records(noted)),
            "covered": share(held, seen.weights),
            "closest_note": _most(seen.close, noted),
            "mean_note": _mean(seen.close, noted),
            "shown": log1p(len(units)),
            "shown_records": log1p(self._records(units)),
            "shown_covered": share(shown, seen.weights),
            "shown_new": share(shown - held, seen.weights),
            "shown_fresh": len(fresh) / len(units) if units else 0.0,
            "closest_shown": _most(seen.close, units),
            "mean_shown": _mean(seen.close, units),
            "closest_fresh": _most(seen.close, fresh),
        }

    def _own(self, seen: Seen) -> dict[str, float]:
        action, state = seen.taken.action, seen.taken.state
        further = {"searches": log1p(len(state.searches))}
        if isinstance(action, Search):
            return further | _query(action.query, [search.query for search in state.searches], seen.weights)
        if isinstance(action, Add):
            return self._written(action, seen)
        if isinstance(action, Stop):
            further |= {"last": float(state.step + 1 >= state.max_steps), "forced": float(bool(action.forced))}
        return further

    def _written(self, action: Add, seen: Seen) -> dict[str, float]:
        units = [note.unit for note in action.notes]
        ranks = {one.unit: rank for rank, one in enumerate(seen.shown, 1)}
        left = [one.unit for one in seen.shown if one.unit not in units]
        held, before = self._held(units, seen.weights), self._held(seen.noted, seen.weights)
        return {
            "written": log1p(len(units)),
            "written_share": len(units) / max(1, len(seen.shown)),
            "written_records": log1p(self._records(units)),
            "written_rank": sum(1 / ranks.get(unit, len(ranks) + 1) for unit in units) / len(units),
            "written_covered": share(held, seen.weights),
            "written_new": share(held - before, seen.weights),
            "written_close": _mean(seen.close, units),
            "written_margin": _mean(seen.close, units) - _mean(seen.close, left) if left else 0.0,
            "written_again": sum(unit in seen.noted for unit in units) / len(units),
        }

    def _held(self, units: Iterable[int], weights: Mapping[str, float]) -> frozenset[str]:
        none: frozenset[str] = frozenset()
        return none.union(*(self._telling.held(unit, weights) for unit in units))

    def _records(self, units: Iterable[int]) -> int:
        return len({record for unit in units for record in records_of(self._memory, unit)})

    def _close(self, question: str, units: Iterable[int]) -> dict[int, float]:
        if question not in self._questions:
            self._questions[question] = self._memory.services.embedder.embed([question])[0]
        asked = self._questions[question]
        return {unit: float(self._vector(unit) @ asked) for unit in units}

    def _vector(self, unit: int) -> NDArray[np.float32]:
        name = self._memory.source_of(unit)[0]
        store = self._memory.stores[name]
        if name not in self._vectors:
            self._vectors[name] = store.vectors(RAW).vectors
        return np.asarray(self._vectors[name][unit - store.base])


def _query(query: Query, before: Sequence[Query], weights: Mapping[str, float]) -> dict[str, float]:
    terms = terms_of(query)
    earlier = frozenset[str]().union(*(terms_of(one) for one in before))
    return {
        "repeated": float(any(terms_of(one) == terms for one in before)),
        "query_new": len(terms - earlier) / len(terms) if terms else 0.0,
        "query_asked": share(terms & weights.keys(), weights),
    }


def _most(close: Mapping[int, float], units: Iterable[int]) -> float:
    return max((close[unit] for unit in units), default=0.0)


def _mean(close: Mapping[int, float], units: Sequence[int]) -> float:
    return sum(close[unit] for unit in units) / len(units) if units else 0.0
