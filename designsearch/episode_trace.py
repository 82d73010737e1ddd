"""What a memory policy did for a question, step by step, as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.runtime.episodes.states import Action, Add, Candidate, Search, Skip, Stop, Taken, Trajectory
from designsearch.runtime.memory import Memory


@dataclass(frozen=True, slots=True)
class EpisodeStep:
    """One action.

    Attributes:
        action: ``search``, ``add``, ``skip`` or ``stop``.
        query: what was searched for.
        source: who proposed that; of a stop that was not chosen ``forced``.
        reason: why a skip or a forced stop, where the policy says so.
        records: ids of the source records of each unit that a search found and showed, or that a note cites.
        hidden: units that were found, for which there was no room.
        tokens: tokens of text that the policy was shown for it.
        contents: what a model wrote in each note; empty where none wrote anything.
    """

    action: str
    query: str = ""
    source: str = ""
    reason: str = ""
    records: tuple[tuple[str, ...], ...] = ()
    hidden: int = 0
    tokens: int = 0
    contents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeTrace:
    """What a memory policy inside another stage did.

    Attributes:
        path: where it stands in the design.
        op: its operator.
        episode: its steps.
    """

    path: str
    op: str
    episode: tuple[EpisodeStep, ...]


def episode_steps(episode: Trajectory | None, memory: Memory) -> tuple[EpisodeStep, ...]:
    """The steps of an episode; none where the stage did not apply to the question."""
    return () if episode is None else tuple(_step(taken, memory) for taken in episode.steps)


def _step(taken: Taken, memory: Memory) -> EpisodeStep:
    action: Action = taken.action
    tokens = taken.tokens
    if isinstance(action, Search):
        found = _records(taken.found, memory)
        return EpisodeStep(action.type, action.query.text, action.source, "", found, len(taken.hidden), tokens)
    if isinstance(action, Add):
        ids = memory.history.ids
        kept = tuple(tuple(dict.fromkeys(ids[one.record] for one in note.cited)) for note in action.notes)
        contents = tuple(note.content for note in action.notes)
        return EpisodeStep(action.type, records=kept, tokens=tokens, contents=contents if any(contents) else ())
    if isinstance(action, Skip):
        return EpisodeStep(action.type, reason=action.reason, tokens=tokens)
    assert isinstance(action, Stop)
    return EpisodeStep(action.type, source="forced" if action.forced else "", reason=action.forced, tokens=tokens)


def _records(candidates: Sequence[Candidate], memory: Memory) -> tuple[tuple[str, ...], ...]:
    return tuple(memory.source_of(one.unit)[1] for one in candidates)
