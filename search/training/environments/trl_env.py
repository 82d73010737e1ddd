"""The memory policy's environment for TRL: what ``GRPOTrainer(environment_factory=...)`` makes for each rollout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from designsearch.prompts.quoting import quoted
from designsearch.runtime.episodes.states import Action, ActionType, Add, Note
from designsearch.runtime.policies.observation import Observer, citable
from designsearch.runtime.policies.rollout import Episodes, World
from designsearch.runtime.policies.tools import TOOLS, RefusedCallsError, read_calls
from designsearch.search.training.environments.conversation import conversation
from designsearch.search.training.environments.episode import Episode
from designsearch.search.training.guard import Guard


class MemoryEnv:
    """One rollout: its public methods are the tools of the model, by the names and arguments of AiO-Mem.

    All tools are offered in all turns, since a conversation of TRL has one set; one that the mode does not allow is
    answered with why, and changes nothing. Notes of one turn are one action: they are written when another tool is
    called, or the rollout ends.

    Args:
        world: the questions, the memory and the inner cascade.
        gold: for each question the rows of its evidence's records.
        guard: keeps what tools reply text, for the tokenizer that reads it.
    """

    def __init__(self, world: World, gold: Sequence[Collection[int]], guard: Guard | None = None) -> None:
        self._world = world
        self._guard = guard or Guard()
        self._episode = Episode(world, gold)
        self._observer = Observer(world.memory, world.observation_tokens)
        self._pending: list[Note] = []

    @property
    def recall(self) -> float:
        """Share of the question's evidence that the notes cite; 1 where it has none."""
        return self._episode.recall

    def reset(self, *, row: int, **_others: Any) -> None:
        """Begin a rollout.

        Args:
            row: the question, as in :func:`dataset_rows`.
        """
        self._pending = []
        self._episode.start(row)

    def search_memory_units(self, query: str) -> str:
        """Search the history for events about one thing that the notes do not say yet.

        Args:
            query: What to search for.

        Returns:
            The events found.
        """
        self._act("search", {"query": query})
        events = self._observer.candidates(self._episode.state.candidates)
        found = "\n".join(f"Event {event.id}:\n{quoted(event.text, 'event')}" for event in events)
        if found:
            return self._guard.text(found)
        self._act("skip", {"reason": "nothing was found"})
        return "Nothing was found."

    def answer_from_notes(self) -> str:
        """End the search: the question is answered from the notes as they are.

        Returns:
            That it has ended.
        """
        self._act("stop", {})
        return "The search has ended."

    def add_note(self, event_id: str, datetime: str, content: str, evidence_turns: list[int]) -> str:
        """Write down one clue of an event, with the numbers of the turns that say it.

        Args:
            event_id: The id of the event.
            datetime: The time that is written beside the event.
            content: The clue in a short sentence.
            evidence_turns: The numbers of the turns that say it.

        Returns:
            That it is noted.
        """
        arguments = {"event_id": event_id, "datetime": datetime, "content": content, "evidence_turns": evidence_turns}
        action = self._read("add", arguments)
        assert isinstance(action, Add)
        self._pending += action.notes
        return "Noted."

    def skip_extraction(self, reason: str) -> str:
        """Write nothing down: nothing that was found helps to answer the question.

        Args:
            reason: Why nothing helps.

        Returns:
            That nothing was noted.
        """
        if self._pending:
            raise ValueError("there are notes of this search: search again, or call answer_from_notes")
        self._act("skip", {"reason": reason})
        return "Nothing was noted."

    def get_reward(self) -> float:
        """The reward of the rollout, balanced over its types of action, in 0..1.

        One that has not ended by itself ends with a forced stop, which is scored as a stop.
        """
        self._write()
        self._episode.end("the rollout ended without answer_from_notes")
        return self._episode.reward()

    def _act(self, type_: ActionType, arguments: dict[str, Any]) -> None:
        if type_ in ("search", "stop"):
            self._write()
        self._episode.act(self._read(type_, arguments))

    def _write(self) -> None:
        if self._pending:
            notes, self._pending = tuple(self._pending), []
            self._episode.act(Add(notes))

    def _read(self, type_: ActionType, arguments: dict[str, Any]) -> Action:
        """The action of a call.

        Raises:
            ValueError: it is none here; TRL tells the model.
        """
        state = self._episode.state
        if type_ not in state.allowed:
            names = " or ".join(TOOLS[allowed].name for allowed in state.allowed)
            raise ValueError(f"only {names} can be called now" if names else "the search has ended")
        events = self._observer.candidates(state.candidates) if type_ == "add" else []
        times = {event.unit: event.time for event in events}
        try:
            return read_calls([{"tool": TOOLS[type_].name, "arguments": arguments}], [type_], citable(events), times)
        except RefusedCallsError as error:
            raise ValueError(str(error)) from None


def environment_factory(
    world: World, gold: Sequence[Collection[int]], guard: Guard | None = None
) -> Callable[[], MemoryEnv]:
    """What ``GRPOTrainer`` takes as ``environment_factory``; each rollout gets an environment of its own.

    Args:
        world: the questions, the memory and the inner cascade.
        gold: for each question the rows of its evidence's records.
        guard: ``Guard.of(tokenizer)`` for the tokenizer that reads what tools reply.
    """
    return lambda: MemoryEnv(world, gold, guard)


def dataset_rows(world: World, guard: Guard | None = None) -> list[dict[str, Any]]:
    """What ``datasets.Dataset.from_list`` takes: for each question the conversation's ``prompt``, and its ``row``.

    Args:
        world: the questions, the memory and the inner cascade.
        guard: ``Guard.of(tokenizer)`` for the tokenizer that reads them.
    """
    keep = (guard or Guard()).messages
    return [{"prompt": keep(conversation(state)), "row": row} for row, state in enumerate(Episodes(world).states)]
