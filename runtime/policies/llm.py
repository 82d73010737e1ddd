"""The policy ``llm``: the study's helper decides, by tools, as the memory agent of AiO-Mem does.

What it is offered are the types of action of the world. Without ``search`` and ``stop`` it is not asked what to do
next: the question itself is searched for again until that finds nothing. Without ``add`` and ``skip`` it is not asked
what to keep: a note of each unit found is written. Where only one thing can be done, it is done without asking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from designsearch.dsl.problems import OutOfBudgetError, UserError
from designsearch.prompts.load import prompt
from designsearch.runtime.episodes.states import Action, ActionType, Add, Decision, Search, Skip, State, Stop
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.policies.consultation import DECIDE, EXTRACT, REFUSED, Consultation
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.observation import Observer
from designsearch.runtime.policies.rollout import PolicyError, World
from designsearch.runtime.records import Query


class Llm:
    """Asks the helper about all episodes that are still running in one batch.

    A reply that failed or was cut ends its episode with a forced stop that says why.

    Args:
        world: what it decides for.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._observer = Observer(world.memory, world.observation_tokens)
        self._replicates = _replicates(world)

    @property
    def fingerprint(self) -> str:
        """Of the model, the prompts, what it is told and what it is offered."""
        prompts = " ".join(prompt(name).identity for name in (DECIDE, EXTRACT, REFUSED))
        told = [*self._world.actions, *filter(None, [self._world.instructions])]
        return f"llm {self._world.memory.services.helper_key} {prompts} {' '.join(told)}"

    def act(self, states: Sequence[State], rows: Sequence[int]) -> list[Decision]:
        """The next action of each episode.

        Raises:
            PolicyError: the budget is used up; from the :class:`OutOfBudgetError`.
            CannotContinueError: as :meth:`Model.complete`.
        """
        made = [self._settled(state) or self._consultation(state, row) for state, row in zip(states, rows, strict=True)]
        asked = [one for one in made if isinstance(one, Consultation)]
        while asked:
            try:
                replies = ask_helper(self._world.memory.services, [one.request() for one in asked])
            except OutOfBudgetError as error:
                raise PolicyError(str(error)) from error
            for one, reply in zip(asked, replies, strict=True):
                one.take(reply)
            asked = [one for one in asked if one.decision is None]
        return [_decision(one) for one in made]

    def _consultation(self, state: State, row: int) -> Consultation:
        world = self._world
        return Consultation(state, self._offered(state), self._observer, self._replicates[row], world.instructions)

    def _offered(self, state: State) -> list[ActionType]:
        return [type_ for type_ in state.allowed if type_ in self._world.actions]

    def _settled(self, state: State) -> Decision | None:
        """What is done without asking, at the cost of no tokens; ``None`` where the model is to be asked."""
        action = self._unasked_extract(state) if state.mode == "extract" else self._unasked_decide(state)
        return Decision(action, (), 0) if action is not None else None

    def _unasked_decide(self, state: State) -> Action | None:
        if "search" not in state.allowed or not state.question.strip():
            return Stop()
        if self._offered(state):
            return None
        return Stop() if state.searches and not state.found else Search(Query("question", state.question))

    def _unasked_extract(self, state: State) -> Action | None:
        if not state.candidates:
            return Skip("nothing was found")
        if self._offered(state):
            return None
        noted = {note.unit for note in state.notes}
        memory = self._world.memory
        notes = tuple(note_of(memory, one.unit) for one in state.candidates if one.unit not in noted)
        return Add(notes) if notes else Skip("nothing new")


def _decision(made: Decision | Consultation) -> Decision:
    if isinstance(made, Decision):
        return made
    assert made.decision is not None
    return made.decision


def _replicates(world: World) -> list[int]:
    """For each episode of the batch how many before it are of the same question: each is asked for on its own."""
    seen: Counter[tuple[str, int]] = Counter()
    numbers = []
    for asked in zip(world.queries.questions, world.queries.as_of.tolist(), strict=True):
        numbers.append(seen[asked])
        seen[asked] += 1
    return numbers


def make(world: World, weights: Path | None) -> Llm:
    """The policy for a world.

    Raises:
        UserError: weights are named, which whoever serves the helper has to load.
    """
    if weights is not None:
        raise UserError(
            "policy: llm asks the model of the role helper and loads no weights itself; leave weights out, and name "
            "a server with the weights as models.helper"
        )
    return Llm(world)
