"""The memory policy's environment for Gymnasium."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from designsearch.runtime.episodes.states import (
    ACTION_TYPES,
    Action,
    Add,
    MaskedActionError,
    Search,
    Skip,
    State,
    Stop,
)
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.rollout import World
from designsearch.runtime.records import Query
from designsearch.search.training.environments.episode import Episode
from designsearch.search.training.extra import need

LONGEST = 1000
"""Characters of a query, and of the question as it is observed."""


def gym_env(world: World, gold: Sequence[Collection[int]], shown: int = 20) -> Any:
    """A ``gymnasium.Env`` in which one question of the world is worked on at a time.

    An action is a mapping: ``type`` is a place in ``ACTION_TYPES`` (search, add, skip, stop), ``query`` what a
    search is for (the question itself where it is empty), ``notes`` marks the candidates of which notes are written.
    ``info`` holds ``action_mask``, shape (4,), int8, as ``Discrete.sample(mask)`` takes it, the ``state`` itself, and
    at the end ``episode_reward``, balanced over the types of action. An action that the mask forbids raises, as does
    ``add`` without a mark. The reward of a step is the rule's, in 0..1. ``reset(options={"row": n})`` picks the
    question; else one is drawn.

    Args:
        world: the questions, the memory and the inner cascade.
        gold: for each question the rows of its evidence's records.
        shown: candidates that can be marked at most.

    Raises:
        UserError: gymnasium is not installed, or the world has no question.
    """
    need("gymnasium")
    import gymnasium
    from gymnasium import spaces

    class Text(spaces.Space[str]):
        """Any text of so many characters at most; a drawn one is one of the world's questions."""

        def __init__(self) -> None:
            super().__init__(None, str)

        @property
        def is_np_flattenable(self) -> bool:
            return False

        def sample(self, mask: Any = None, probability: Any = None) -> str:
            return world.queries.questions[int(self.np_random.integers(len(world)))][:LONGEST]

        def contains(self, x: Any) -> bool:
            return isinstance(x, str) and len(x) <= LONGEST

    class MemoryEnv(gymnasium.Env[dict[str, Any], Mapping[str, Any]]):
        """See :func:`gym_env`."""

        metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  Gymnasium's own
        render_mode = None

        def __init__(self) -> None:
            self.action_space = spaces.Dict(
                {"type": spaces.Discrete(len(ACTION_TYPES)), "query": Text(), "notes": spaces.MultiBinary(shown)}
            )
            self.observation_space = spaces.Dict(
                {
                    "question": Text(),
                    "mode": spaces.Discrete(2),
                    "step": spaces.Discrete(world.max_steps + 1),
                    "notes": spaces.Sequence(spaces.Discrete(max(1, world.memory.size))),
                    "candidates": spaces.Sequence(spaces.Discrete(max(1, world.memory.size))),
                }
            )
            self._episode = Episode(world, gold)

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[dict[str, Any], dict[str, Any]]:
            super().reset(seed=seed)
            row = (options or {}).get("row")
            state = self._episode.start(int(self.np_random.integers(len(world))) if row is None else row)
            return _observed(state), _info(state)

        def step(self, action: Mapping[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
            reward = self._episode.act(_action(action, self._episode.state, world))
            state = self._episode.state
            info = _info(state) | ({"episode_reward": self._episode.reward()} if state.done else {})
            return _observed(state), reward, state.done, False, info

    return MemoryEnv()


def _action(given: Mapping[str, Any], state: State, world: World) -> Action:
    type_ = ACTION_TYPES[int(given["type"])]
    if type_ not in state.allowed:
        raise MaskedActionError(f"{type_} is not allowed in mode {state.mode}: {' or '.join(state.allowed)}")
    if type_ == "search":
        query = given["query"].strip()
        return Search(Query("question", query or state.question), "model" if query else "question")
    if type_ == "add":
        marked = [one for one, mark in zip(state.candidates, given["notes"], strict=False) if mark]
        return Add(tuple(note_of(world.memory, one.unit) for one in marked))
    return Skip() if type_ == "skip" else Stop()


def _observed(state: State) -> dict[str, Any]:
    return {
        "question": state.question[:LONGEST],
        "mode": np.int64(state.mode == "extract"),
        "step": np.int64(state.step),
        "notes": tuple(np.int64(note.unit) for note in state.notes),
        "candidates": tuple(np.int64(one.unit) for one in state.candidates),
    }


def _info(state: State) -> dict[str, Any]:
    mask = np.array([type_ in state.allowed for type_ in ACTION_TYPES], np.int8)
    return {"action_mask": mask, "state": state}
