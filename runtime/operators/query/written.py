"""Queries that a model writes for each question: what ``multi_query``, ``hyde`` and ``decompose`` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from designsearch.runtime.asking import day_of
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.runtime.records import Queries, Query

FIELD = "texts"
"""Where in a reply the texts stand."""


def with_written(
    queries: Queries,
    m: Memory,
    prompt: str,
    kind: Literal["question", "passage"],
    counts: tuple[int, int],
    weight: float,
) -> Queries:
    """The queries with those that the helper writes for each question behind them, all asked for in one call.

    Args:
        queries: the batch; a question without any text is not asked about.
        m: the memory, for its helper.
        prompt: the prompt's name; it takes the ``question``, the date ``as_of`` and the ``count`` of texts.
        kind: what the new queries are.
        counts: the fewest and the most texts of a reply.
        weight: of each new query.

    Returns:
        The same questions. One whose reply failed has the queries that it had; empty texts and those that a query of
        the same kind has already are left out.
    """
    asked = [q for q, question in enumerate(queries.questions) if question.strip()]
    replies = ask_helper(m.services, [_request(queries, q, prompt, counts) for q in asked])
    made = list(queries.queries)
    for q, reply in zip(asked, replies, strict=True):
        if reply.ok:
            made[q] = _extended(made[q], reply.value[FIELD], kind, weight)
    return replace(queries, queries=tuple(made))


def _request(queries: Queries, q: int, prompt: str, counts: tuple[int, int]) -> Request:
    fewest, most = counts
    schema = object_of(**{FIELD: {"type": "array", "items": {"type": "string"}, "minItems": fewest, "maxItems": most}})
    as_of = day_of(int(queries.as_of[q]))
    return prompted(prompt, schema, question=queries.questions[q], as_of=as_of, count=most)


def _extended(
    own: tuple[Query, ...], texts: Sequence[str], kind: Literal["question", "passage"], weight: float
) -> tuple[Query, ...]:
    known = {_plain(query.text) for query in own if query.kind == kind}
    added = []
    for text in texts:
        plain = _plain(text)
        if plain and plain not in known:
            known.add(plain)
            added.append(Query(kind, text.strip(), weight))
    return (*own, *added)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
