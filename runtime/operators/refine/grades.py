"""Grades that the helper gives to candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from designsearch.runtime.asking import day_of
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.runtime.operators.refine.candidate_texts import Candidate
from designsearch.runtime.records import FloatArray, Queries

BEST = 10
"""The highest grade; 0 is the lowest."""


def grades(candidates: Sequence[Candidate], batch: int, queries: Queries, m: Memory) -> FloatArray:
    """Grade candidates, all batches of all questions in one call.

    Args:
        candidates: those of one question stand together.
        batch: how many are graded in one request at most; a request is about one question.
        queries: what was asked.
        m: the memory, for its helper.

    Returns:
        Shape (candidates,): grade / 10, NaN where there is none. A number that no candidate has is ignored, and so is
        a second grade for the same one.
    """
    found = np.full(len(candidates), np.nan)
    spans = list(_batches(candidates, batch))
    replies = ask_helper(m.services, [_request(candidates[span], queries) for span in spans])
    for span, reply in zip(spans, replies, strict=True):
        for given in reversed(reply.value["grades"] if reply.ok else ()):  # reversed: the first grade stands
            if 1 <= given["n"] <= span.stop - span.start:
                found[span.start + given["n"] - 1] = given["grade"] / BEST
    return found


def _batches(candidates: Sequence[Candidate], size: int) -> Iterator[slice]:
    start = 0
    for i in range(1, len(candidates) + 1):
        if i == len(candidates) or i - start == size or candidates[i].question != candidates[start].question:
            yield slice(start, i)
            start = i


def _request(own: Sequence[Candidate], queries: Queries) -> Request:
    q = own[0].question
    return prompted(
        "memory/rerank",
        _schema(len(own)),
        question=queries.questions[q],
        as_of=day_of(int(queries.as_of[q])),
        candidates=[candidate.text for candidate in own],
        best=BEST,
    )


def _schema(size: int) -> dict[str, Any]:
    grade = object_of(n={"type": "integer"}, grade={"type": "integer", "minimum": 0, "maximum": BEST})
    return object_of(grades={"type": "array", "items": grade, "minItems": size, "maxItems": size})
