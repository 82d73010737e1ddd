"""Which part of a design lost a record on its way into the final ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.episodes.fates import FATES, fate
from designsearch.runtime.pipeline import Step
from designsearch.runtime.records import IntArray


def lost_at(steps: Sequence[Step], question: int, units: IntArray) -> tuple[str | None, int | None]:
    """Which stage lost a record, asked by the units that show it.

    Args:
        steps: of a run.
        question: position in the batch.
        units: global ids of the units that show the record.

    Returns:
        The path of the first stage after which none of the units was ranked any more and the best rank before it;
        ``("context", rank)`` where one stood in the final ranking; ``(None, None)`` where none was ever ranked. Where
        a policy might have ranked it, also one inside another stage: how far it came there, as in
        ``("retrieval[0].extract", 3)`` or ``("retrieval[0].branches.talk[1].stop", None)``; the stage around it where
        it wrote a note and the stage did not rank that.
    """
    rank: int | None = None
    path: str | None = None
    for step in steps:
        if step.ranking is None:
            continue
        ids, _ = step.ranking.of_question(question)
        places = [int(np.argmax(found)) for unit in units if (found := ids == unit).any()]
        if places:
            rank, path = min(places) + 1, None
        elif rank is not None and path is None and step.narrows:
            path = step.path
    if rank is None and len(units):
        return _lost_in_episode(steps, question, units)
    return (None, None) if rank is None else (path or "context", rank)


def _lost_in_episode(steps: Sequence[Step], question: int, units: IntArray) -> tuple[str | None, int | None]:
    """The policy that brought a record nearest to the ranking, and how far; nothing where there is no policy."""
    nearest = -1
    found: tuple[str | None, int | None] = None, None
    for step in steps:
        if step.ranking is None:
            continue
        for path, _, episode in step.played(question, ranked=True):
            how, rank = fate(episode, units.tolist())
            noted_within = how == "store" and path != step.path  # the stage around the policy lost it on the way
            if FATES.index(how) > nearest and not (noted_within and step.episodes):
                nearest, found = FATES.index(how), (step.path if noted_within else f"{path}.{how}", rank)
    return found
