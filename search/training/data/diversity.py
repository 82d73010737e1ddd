"""Few and different episodes of a question out of many: what is nearly the same teaches nothing twice.

AiO-Mem (Wang et al. 2026, appendix C.2): near-duplicates fall by the similarity of their embeddings, then agglomerative
clusters (Ward 1963) leave at most ten representatives a question.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from designsearch.runtime.embedder import Embedder
from designsearch.runtime.episodes.states import Add, Search, Trajectory
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import FloatArray

NEAR = 0.995
"""Cosine from which two episodes count as the same."""

MOST = 10
"""Episodes of a question that are kept."""


def diverse(
    episodes: Sequence[Trajectory], memory: Memory, embedder: Embedder, near: float = NEAR, most: int = MOST
) -> list[int]:
    """Which episodes of one question to keep.

    Args:
        episodes: of one question.
        memory: what was searched.
        embedder: of what the episodes say.
        near: cosine from which two count as the same; the earlier one stays.
        most: how many are kept.

    Returns:
        Positions of the episodes, rising.
    """
    vectors = np.asarray(embedder.embed([said(episode, memory) for episode in episodes]), np.float64)
    return representatives(vectors, near, most)


def said(episode: Trajectory, memory: Memory) -> str:
    """What an episode did, as a text to be embedded: its actions in order, with queries and the text noted."""
    lines = []
    for taken in episode.steps:
        action = taken.action
        if isinstance(action, Search):
            lines.append(f"search: {action.query.text}")
        elif isinstance(action, Add):
            lines += [f"note: {memory.text(note.unit)}" for note in action.notes]
        else:
            lines.append(action.type)
    return "\n".join(lines)


def representatives(vectors: FloatArray, near: float = NEAR, most: int = MOST) -> list[int]:
    """Which vectors to keep.

    Args:
        vectors: shape (episodes, dimensions), unit length, or zero for what has no content.
        near: cosine from which two count as the same; the earlier one stays.
        most: how many are kept, from 1 on.

    Returns:
        Positions, rising: of each of at most ``most`` clusters of what is no near-duplicate the one nearest to the
        cluster's mean, the earliest where several are.

    Raises:
        ValueError: ``most`` is below 1.
    """
    if most < 1:
        raise ValueError(f"at most {most} episodes of a question are kept: at least 1 must be")
    kept: list[int] = []
    for position, vector in enumerate(vectors):
        if not kept or float((vectors[kept] @ vector).max()) < near:
            kept.append(position)
    if len(kept) <= most:
        return kept
    own = vectors[kept]
    clusters = fcluster(linkage(own, "ward"), most, "maxclust")
    return sorted(kept[_central(own, np.flatnonzero(clusters == number))] for number in np.unique(clusters))


def _central(vectors: FloatArray, members: np.ndarray[tuple[int], np.dtype[np.intp]]) -> int:
    distances = np.linalg.norm(vectors[members] - vectors[members].mean(axis=0), axis=1)
    # rounding must not decide between vectors that are equally central
    return int(members[int(np.argmin(np.round(distances, 9)))])
