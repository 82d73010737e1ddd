"""Run a policy over a batch of questions in lock step: all that are still running decide, search and read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from designsearch.dsl.operators import Cascade
from designsearch.runtime.episodes.states import (
    ACTION_TYPES,
    ActionType,
    Candidate,
    Decision,
    MaskedActionError,
    NotesRule,
    Search,
    State,
    Stop,
    Taken,
    Trajectory,
    transition,
)
from designsearch.runtime.memory import Memory
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.policies.window import Window
from designsearch.runtime.records import Queries, Query

Reading = Literal["ranked", "in_order"]
"""How what a search finds is shown: the best first; or in order of time, going on where the last search ended."""


SEARCH = "search"
"""Where the inner cascade stands in a policy."""


class PolicyError(Exception):
    """A policy cannot go on: its model failed, or it ran out of tokens.

    Raised by :meth:`Policy.act` it ends every episode that it was asked about with a forced stop. For one episode
    alone a policy returns ``Decision(Stop(forced=why))``.
    """


@dataclass(frozen=True)
class World:
    """Where the episodes of a batch take place.

    Attributes:
        memory: what is searched and read.
        queries: the batch. A question that stands in it several times has several episodes.
        search: the inner cascade that each search runs; it ends in one ranking.
        max_steps: decide steps of an episode; in the last one only ``stop`` is left.
        observation_tokens: tokens of the candidates that a policy is shown after a search.
        notes: what writing does to the notes that are there.
        reading: in which order what a search finds is shown.
        actions: what a policy that is offered its actions is offered; another one knows them all.
        instructions: how a policy that reads is to go about it; empty where nothing is said of that.
    """

    memory: Memory
    queries: Queries
    search: Cascade
    max_steps: int = 8
    observation_tokens: int = 10_240
    notes: NotesRule = "append"
    reading: Reading = "ranked"
    actions: tuple[ActionType, ...] = ACTION_TYPES
    instructions: str = ""

    def __len__(self) -> int:
        """Number of episodes."""
        return len(self.queries)


class Policy(Protocol):
    """Decides for a batch of episodes; made for one :class:`World`, which it may read at any time."""

    @property
    def fingerprint(self) -> str:
        """What it is: two policies of one fingerprint decide alike."""
        ...

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """The next action of each episode that is still running.

        Args:
            states: where they stand; a call may mix modes. ``state.allowed`` says what may follow.
            rows: their positions in the world's batch, rising.

        Returns:
            One decision a state, in order.

        Raises:
            PolicyError: it cannot go on with any of them.
        """
        ...


def rollout(world: World, policy: Policy) -> tuple[Trajectory, ...]:
    """The episodes of a batch, one a question.

    A search goes through the inner cascade together with those of all other episodes at that step, equal ones once.
    After it the candidates are what fits ``observation_tokens``: whole units in order of rank, at least the first.

    Args:
        world: the questions and where they are asked.
        policy: made for that world.

    Returns:
        What each did, in order. A policy that fails gives a forced stop, and so does an action that the state does
        not allow; choices that led to it are kept.
    """
    episodes = Episodes(world)
    while running := episodes.running:
        episodes.advance(running, _decide(policy, [episodes.states[row] for row in running], running))
    return tuple(episodes.trajectory(row) for row in range(len(world)))


class Episodes:
    """The episodes of a batch, taken on by whoever decides.

    Args:
        world: the questions and where they are asked.

    Attributes:
        states: where each stands.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._window = Window(world.memory, world.observation_tokens)
        self.states = [self._first(row) for row in range(len(world))]
        self._steps: list[list[Taken]] = [[] for _ in self.states]

    @property
    def running(self) -> list[int]:
        """The rows of those that have not ended, rising."""
        return [row for row, state in enumerate(self.states) if not state.done]

    def advance(self, rows: Sequence[int], decisions: Sequence[Decision]) -> None:
        """One step of some episodes; what they search for is looked for together.

        Raises:
            MaskedActionError: a state does not allow the action decided on; nothing is done then.
        """
        for row, decision in zip(rows, decisions, strict=True):
            transition(self.states[row], decision.action)
        found = _search(self._world, rows, decisions)
        for row, decision in zip(rows, decisions, strict=True):
            unread = _unread(self._world, found.get(row, ()), self._steps[row])
            taken, self.states[row] = _step(self.states[row], decision, unread, self._window)
            self._steps[row].append(taken)

    def trajectory(self, row: int) -> Trajectory:
        """An episode as far as it has come."""
        return Trajectory(tuple(self._steps[row]), self.states[row])

    def restart(self, row: int) -> None:
        """Begin an episode again."""
        self.states[row], self._steps[row] = self._first(row), []

    def _first(self, row: int) -> State:
        world = self._world
        as_of = int(world.queries.as_of[row])
        return State(world.queries.questions[row], world.max_steps, as_of, rule=world.notes)


def _decide(policy: Policy, states: list[State], rows: list[int]) -> list[Decision]:
    """What the policy decides, a forced stop wherever that is no way to go on."""
    try:
        decisions = policy.act(states, rows)
    except PolicyError as error:
        return [Decision(Stop(forced=str(error) or "the policy failed")) for _ in rows]
    return [_allowed(state, decision) for state, decision in zip(states, decisions, strict=True)]


def _allowed(state: State, decision: Decision) -> Decision:
    """The decision, or a forced stop where the state does not allow it; what led to it stays with it."""
    try:
        transition(state, decision.action)
    except MaskedActionError as error:
        return Decision(Stop(forced=str(error)), decision.choices, decision.tokens)
    return decision


def _search(world: World, rows: Sequence[int], decisions: Sequence[Decision]) -> dict[int, tuple[Candidate, ...]]:
    """What the searches among the decisions find, by row; each different one is run once, all in one batch."""
    wanted: dict[tuple[str, int, Query], list[int]] = {}
    for row, decision in zip(rows, decisions, strict=True):
        if isinstance(decision.action, Search):
            asked = world.queries.questions[row], int(world.queries.as_of[row]), decision.action.query
            wanted.setdefault(asked, []).append(row)
    if not wanted:
        return {}
    batch = Queries(
        tuple(question for question, _, _ in wanted),
        np.array([as_of for _, as_of, _ in wanted], np.int64),
        tuple((query,) for _, _, query in wanted),
    )
    ranking = run_cascade(world.memory, world.search, batch, SEARCH).ranking
    found: dict[int, tuple[Candidate, ...]] = {}
    for i, own in enumerate(wanted.values()):
        ids, scores = ranking.of_question(i)
        made = tuple(Candidate(u, s) for u, s in zip(ids.tolist(), scores.tolist(), strict=True))
        found.update(dict.fromkeys(own, made))
    return found


def _unread(world: World, found: tuple[Candidate, ...], steps: list[Taken]) -> tuple[Candidate, ...]:
    """What a search found, in the order in which it is read; read in order, what was read before is left out."""
    if world.reading == "ranked":
        return found
    read = {one.unit for step in steps for one in step.found}
    times = world.memory.times
    # a unit without a time has the least of all times and comes first, as in a history
    return tuple(sorted((one for one in found if one.unit not in read), key=lambda one: (times[one.unit], one.unit)))


def _step(state: State, decision: Decision, found: tuple[Candidate, ...], window: Window) -> tuple[Taken, State]:
    """One step of one episode and the state after it."""
    shown = window.shown(found)
    read = decision.tokens
    if read is None:
        read = window.tokens(state.candidates) if state.mode == "extract" else 0
    taken = Taken(state, decision.action, shown, decision.choices, read, found[len(shown) :])
    return taken, transition(state, decision.action, shown)
