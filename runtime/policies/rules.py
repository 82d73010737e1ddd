"""The policy ``rules``: hand-written, without weights and without a model.

It searches for the question, keeps what passes simple tests of evidence, and searches on for what is not covered:
first for the words of the question that no note holds, then for its names, then for its dates. It stops when its notes
hold every telling word, when a search brought nothing worth a note, and when nothing is left to search for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from designsearch.dsl.problems import UserError
from designsearch.runtime.episodes.states import Action, Add, Candidate, Decision, Search, Skip, State, Stop
from designsearch.runtime.policies.facets import dates, names, terms_of, without
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.rollout import World
from designsearch.runtime.policies.telling import Telling, share
from designsearch.runtime.records import Query

FIRST = 5
"""Candidates that are kept for their rank alone when the question itself was searched for."""

CLOSE = 0.4
"""Share of the best candidate's words that another one must hold to be kept for its words."""

NEW = 0.15
"""Share of the question's words that no note holds yet with which a candidate is worth a note."""

COVERED = 0.95
"""Share of the question's words from which on nothing is missing."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Decides from the state alone, so that one question's episode does not depend on those beside it.

    Attributes:
        world: what it decides for.
        telling: the words of its questions.
    """

    world: World
    telling: Telling

    @property
    def fingerprint(self) -> str:
        """What it is."""
        return "rules-1"

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """The next action of each episode."""
        return [
            Decision(self._extract(state) if state.mode == "extract" else self._decide(state, row))
            for state, row in zip(states, rows, strict=True)
        ]

    def _decide(self, state: State, row: int) -> Action:
        fruitless = bool(state.searches) and not state.candidates
        if "search" not in state.allowed or fruitless or not state.question.strip():
            return Stop()
        weights = self.telling.weights(state.question)
        covered = self._covered(state, weights)
        if state.searches and share(covered, weights) >= COVERED:
            return Stop()
        done = {terms_of(search.query) for search in state.searches}
        for source, query in self._queries(state, row, covered):
            if terms_of(query) not in done:
                return Search(query, source)
        return Stop()

    def _queries(self, state: State, row: int, covered: frozenset[str]) -> Iterator[tuple[str, Query]]:
        """What may be searched for, in order: first what the stages before made of the question."""
        for query in self.world.queries.queries[row]:
            yield "question", query
        left = without(state.question, covered)
        if left is not None and state.searches:
            yield "uncovered", left
        yield from (("name", query) for query in names(state.question))
        yield from (("date", query) for query in dates(state.question, state.as_of))

    def _extract(self, state: State) -> Action:
        """A note of each candidate that passes; the order is that of the search."""
        weights = self.telling.weights(state.question)
        noted = {note.unit for note in state.notes}
        fresh = [one for one in state.candidates if one.unit not in noted]
        kept = self._first(fresh, weights) if not state.notes else self._further(state, fresh, weights)
        notes = tuple(note_of(self.world.memory, one.unit) for one in kept)
        return Add(notes) if notes else Skip("nothing new")

    def _first(self, fresh: Sequence[Candidate], weights: dict[str, float]) -> list[Candidate]:
        """The best by rank, and those that hold nearly as many of the question's words as any."""
        shares = [share(self.telling.held(one.unit, weights), weights) for one in fresh]
        enough = CLOSE * max(shares, default=0.0)
        return [one for i, (one, held) in enumerate(zip(fresh, shares, strict=True)) if i < FIRST or held >= enough > 0]

    def _further(self, state: State, fresh: Sequence[Candidate], weights: dict[str, float]) -> list[Candidate]:
        """Those that hold a good part of what no note holds."""
        covered = self._covered(state, weights)
        missing = {stem: weight for stem, weight in weights.items() if stem not in covered}
        return [one for one in fresh if share(self.telling.held(one.unit, missing), weights) >= NEW]

    def _covered(self, state: State, weights: dict[str, float]) -> frozenset[str]:
        none: frozenset[str] = frozenset()
        return none.union(*(self.telling.held(note.unit, weights) for note in state.notes))


def make(world: World, weights: Path | None) -> Rules:
    """The policy for a world.

    Raises:
        UserError: weights are named, of which it has none.
    """
    if weights is not None:
        raise UserError("policy: rules has no weights; leave weights out, or name the policy that they belong to")
    return Rules(world, Telling(world.memory))
