"""A stretch of talk about one thing, one memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.operators.storage.spans import by_session, joined_records
from designsearch.runtime.records import FloatArray, History, IntArray, Units
from designsearch.runtime.services import Services


class TopicsParams(Params):
    """Parameters of ``topics``."""

    threshold: float = param(
        0.2,
        ge=-1,
        le=1,
        about="a topic ends where the cosine between what was said before and after is lower",
        tune=Tune(0.0, 0.6),
    )
    window: int = param(1, ge=1, le=20, about="how many records on each side are compared", tune=Tune(1, 4))
    tokens: int = param(512, ge=16, le=100_000, about="the most tokens of a topic", tune=Tune(128, 1024, log=True))


@operator("topics", "units", TopicsParams, needs_services=True)
def topics(params: TopicsParams, history: History, services: Services) -> Units:
    """Consecutive records of a session up to where the topic shifts, or where they reach ``tokens`` tokens.

    The cosine is that between the sums of the embeddings of the records on each side, as in TextTiling (Hearst 1997)
    and in the segmentation of LightMem (Fang et al. 2025). A record without content ends no topic; one that is longer
    than ``tokens`` stands alone.
    """
    groups = topic_groups(history, services, params.threshold, params.window, params.tokens)
    return joined_records(history, sorted(groups, key=lambda group: group[0]))


def topic_groups(history: History, services: Services, threshold: float, window: int, tokens: int) -> list[list[int]]:
    """The rows of each topic, session after session; where one ends depends on the records beside it alone."""
    return groups_of(history, services, topic_begins(history, services, threshold, window), tokens)


def topic_begins(history: History, services: Services, threshold: float, window: int) -> list[bool]:
    """Shape (records,): whether a topic begins with the record."""
    begins = [True] * len(history)
    if not len(history):
        return begins
    vectors = services.embedder.embed(history.texts)
    for session in by_session(history):
        shifts = _cosines(vectors[session], window) < threshold
        for row, shift in zip(session[1:], shifts.tolist(), strict=True):
            begins[row] = shift
    return begins


def groups_of(history: History, services: Services, begins: Sequence[bool], tokens: int) -> list[list[int]]:
    """The rows of each stretch of a session, session after session.

    Args:
        history: the history.
        services: counts tokens.
        begins: shape (records,): whether one begins with the record; the first of a session begins one in any case.
        tokens: the most of one; a longer record stands alone.
    """
    lengths = services.counter.count_all(history.texts) if len(history) else np.zeros(0, np.int64)
    groups = []
    for session in by_session(history):
        groups += _cut(session, [True, *(begins[row] for row in session[1:])], lengths, tokens)
    return groups


def _cosines(vectors: NDArray[np.float32], window: int) -> FloatArray:
    """Shape (records - 1,): cosine across each boundary of a session, 1 where one side has no content.

    Sums run over the window's own records and never over a whole session, so that a record changes only what is near.
    """
    size, dimensions = vectors.shape
    padded = np.zeros((size + 2 * window, dimensions))
    padded[window : window + size] = vectors
    before, after = np.zeros((size - 1, dimensions)), np.zeros((size - 1, dimensions))
    for i in range(window):
        before += padded[1 + i : size + i]
        after += padded[1 + window + i : size + window + i]
    norms = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    products = (before * after).sum(axis=1)
    cosines: FloatArray = np.divide(products, norms, out=np.ones(size - 1), where=norms > 0)
    return cosines


def _cut(session: list[int], begins: list[bool], lengths: IntArray, tokens: int) -> list[list[int]]:
    groups: list[list[int]] = []
    held = 0
    for row, new in zip(session, begins, strict=True):
        if new or held + int(lengths[row]) > tokens:
            groups.append([])
            held = 0
        groups[-1].append(row)
        held += int(lengths[row])
    return groups
