"""Which part of a design lost a record on its way into the final ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from designsearch.runtime.episodes.fates import FATES, fate
from designsearch.runtime.excerpts import Excerpt, Excerpts
from designsearch.runtime.pipeline import Step
from designsearch.runtime.records import IntArray

_WHOLE: Mapping[int, Excerpt] = MappingProxyType({})


def lost_at(
    steps: Sequence[Step], question: int, row: int, units: IntArray, excerpts: Excerpts = _WHOLE
) -> tuple[str | None, int | None]:
    """Which stage lost a record, asked by the units that show it.

    Args:
        steps: of a run.
        question: position in the batch.
        row: of the record in the history.
        units: global ids of the units that show the record.
        excerpts: what is shown of units that are not shown whole. A unit whose excerpt leaves the record out does not
            rank it: the policy that noted it so lost the record.

    Returns:
        The path of the first stage after which none of the units was ranked any more and the best rank before it;
        ``("context", rank)`` where one stood in the final ranking; ``(None, None)`` where none was ever ranked. Where
        a policy might have ranked it, also one inside another stage: how far it came there, as in
        ``("retrieval[0].extract", 3)`` or ``("retrieval[0].branches.talk[1].stop", None)``; the stage around it where
        it wrote a note and the stage did not rank that.
    """
    rank: int | None = None
    path: str | None = None
    showing = [unit for unit in units.tolist() if unit not in excerpts or not excerpts[unit].leaves_out(row)]
    for step in steps:
        if step.ranking is None:
            continue
        ids, _ = step.ranking.of_question(question)
        places = [int(np.argmax(found)) for unit in showing if (found := ids == unit).any()]
        if places:
            rank, path = min(places) + 1, None
        elif rank is not None and path is None and step.narrows:
            path = step.path
    if rank is None and len(units):
        return _lost_in_episode(steps, question, row, units)
    return (None, None) if rank is None else (path or "context", rank)


def _lost_in_episode(steps: Sequence[Step], question: int, row: int, units: IntArray) -> tuple[str | None, int | None]:
    """The policy that brought a record nearest to the ranking, and how far; nothing where there is no policy."""
    nearest = -1
    found: tuple[str | None, int | None] = None, None
    for step in steps:
        if step.ranking is None:
            continue
        for path, _, episode in step.played(question, ranked=True):
            how, rank = fate(episode, row, units.tolist())
            noted_within = how == "store" and path != step.path  # the stage around the policy lost it on the way
            if FATES.index(how) > nearest and not (noted_within and step.episodes):
                nearest, found = FATES.index(how), (step.path if noted_within else f"{path}.{how}", rank)
    return found
