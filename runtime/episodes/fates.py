"""What became of a record in an episode that did not end with it in the ranking."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from designsearch.runtime.episodes.states import Candidate, Trajectory

Fate = Literal["search", "stop", "observation_tokens", "extract", "store"]
"""What lost it: no search found it, ``stop`` where more searches were left; there was no room to show it; it was shown
and no note cites it; it was noted, and the store that notes become units of does not hold it."""

FATES: tuple[Fate, ...] = ("search", "stop", "observation_tokens", "extract", "store")
"""From the farthest from the ranking to the nearest."""


def fate(episode: Trajectory, row: int, units: Iterable[int]) -> tuple[Fate, int | None]:
    """How far a record came.

    Args:
        episode: of the question.
        row: of the record in the history.
        units: global ids of the units that show it.

    Returns:
        What lost it, and the best rank that a search gave it, 1-based; ``None`` where none found it.
    """
    wanted = set(units)
    shown = [rank for step in episode.steps for rank in _ranks(step.found, wanted)]
    hidden = [len(step.found) + rank for step in episode.steps for rank in _ranks(step.hidden, wanted)]
    if shown:
        noted = any(cited.record == row for note in episode.notes for cited in note.cited)
        return ("store" if noted else "extract"), min(shown)
    if hidden:
        return "observation_tokens", min(hidden)
    final = episode.final
    return ("stop" if final.step + 1 < final.max_steps else "search"), None


def _ranks(candidates: Iterable[Candidate], wanted: set[int]) -> list[int]:
    return [rank for rank, one in enumerate(candidates, 1) if one.unit in wanted]
