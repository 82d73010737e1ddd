"""Questions with evidence about one history, ready for episodes to be run over them many times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from designsearch.dsl.operators import Cascade
from designsearch.runtime.episodes.states import Note, Trajectory
from designsearch.runtime.memory import Memory
from designsearch.runtime.policies.learned import Desk, Learned
from designsearch.runtime.policies.rollout import World, rollout
from designsearch.runtime.policies.sight import Sight
from designsearch.runtime.policies.weights import Weights
from designsearch.runtime.records import IntArray, Queries
from designsearch.search.evaluate import Task
from designsearch.search.training.judging.judged import Judged, gold_rows
from designsearch.search.training.judging.step_facts import Rows
from designsearch.search.training.learned.searched import remembering


@dataclass(frozen=True)
class Outcome:
    """What one episode reached.

    Attributes:
        recall: share of the question's evidence that its notes cite.
        tokens: of the source text that the notes cite.
        observed: tokens of candidates that the policy was shown.
        searches: number of searches.
    """

    recall: float
    tokens: int
    observed: int
    searches: int


class Bench:
    """One history with its questions of evidence, and what is computed of them once.

    Args:
        task: the history and its questions; those without evidence that the history has are left out.
        memory: of the design, over the whole history.
        world: where episodes of questions take place; its queries are theirs as the policy gets them.
        search: the inner cascade of the policy.
        names: the features of candidates.
    """

    def __init__(
        self,
        task: Task,
        memory: Memory,
        world: Callable[[Queries, Cascade], World],
        search: Cascade,
        names: Sequence[str],
    ) -> None:
        self.task = task
        self.memory = memory
        gold = [gold_rows(question, task.full) for question in task.questions]
        self.rows = tuple(i for i, question in enumerate(task.questions) if question.answerable and gold[i])
        self.world = world(task.queries(self.rows), remembering(search))
        self.queries = self.world.queries
        self.desk = Desk(Sight(memory, names))
        self.gold: tuple[Rows, ...] = tuple(gold[i] for i in self.rows)

    def __len__(self) -> int:
        """Number of questions."""
        return len(self.rows)

    @cached_property
    def shown(self) -> tuple[Rows, ...]:
        """Shape (units,): the records that each unit shows."""
        found: list[Rows] = []
        for store in self.memory.stores.values():
            units = store.units
            spans = zip(units.offsets[:-1].tolist(), units.offsets[1:].tolist(), strict=True)
            found += [frozenset(units.records[a:b].tolist()) for a, b in spans]
        return tuple(found)

    def judged(self, row: int, episode: Trajectory) -> Judged:
        """An episode of a question, to be judged by its evidence."""
        return Judged(self.task.questions[self.rows[row]], episode, self.memory, self.shown)

    def showing(self, tokens: int) -> Bench:
        """The same, a search showing another number of tokens."""
        other = copy(self)
        other.world = replace(self.world, observation_tokens=tokens)
        return other

    def episodes(
        self, weights: Weights, rows: IntArray, chance: np.random.Generator | None
    ) -> tuple[tuple[Trajectory, ...], Learned]:
        """Episodes of a learned policy for some questions of the bench, a row as often as it stands there."""
        world = replace(self.world, queries=self.queries.select(rows))
        policy = Learned(world, self.desk, weights, chance)
        return rollout(world, policy), policy

    def outcomes(self, episodes: Sequence[Trajectory], rows: Sequence[int]) -> list[Outcome]:
        """What episodes of those questions reached."""
        return [self._outcome(one, row) for one, row in zip(episodes, rows, strict=True)]

    def recall(self, row: int, units: Sequence[int]) -> float:
        """The share of a question's evidence that some units show."""
        none: Rows = frozenset()
        shown = none.union(*(self.shown[unit] for unit in units))
        return len(self.gold[row] & shown) / max(1, len(self.gold[row]))

    def _outcome(self, episode: Trajectory, row: int) -> Outcome:
        notes: tuple[Note, ...] = episode.notes
        units = list(dict.fromkeys(note.unit for note in notes))
        searches = sum(step.action.type == "search" for step in episode.steps)
        return Outcome(self.recall(row, units), int(self.desk.lengths(units).sum()), episode.observed, searches)
