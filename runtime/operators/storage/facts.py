"""What the history says, as single statements that a model wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from designsearch.dsl.operators import ModelWork, Params, Tune, operator, param
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.operators.storage.batches import exchanges, single, windows
from designsearch.runtime.operators.storage.spans import JOIN, by_session, written_units
from designsearch.runtime.operators.storage.topics import topic_groups
from designsearch.runtime.record_messages import messages
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/facts"

FACT = object_of(text={"type": "string"}, **{"from": {"type": "array", "items": {"type": "integer"}}})

TOO_MUCH = ("too_long", "truncated")
"""Failures that a smaller batch may not have."""

Written = tuple[str, list[int]]
"""A text and the rows of the records that it comes from."""


class FactsParams(Params):
    """Parameters of ``facts``."""

    batch: Literal["exchange", "record", "window", "topic"] = param(
        "exchange",
        about="the records that are read together: one and its replies, one, a few, or one topic's",
        tune=True,
    )
    size: int = param(
        10, ge=2, le=200, about="records of a window on average; the most of an exchange", tune=Tune(4, 30, log=True)
    )
    opener: str = param("user", about="the role (else the author) whose record opens an exchange")
    threshold: float = param(0.2, ge=-1, le=1, about="cosine between neighbours below which a topic ends")
    tokens: int = param(512, ge=16, le=100_000, about="the most tokens of a topic")
    context: int = param(
        0,
        ge=0,
        le=20,
        about="earlier records shown for reference; a change of one then has the batches that show it read again",
        tune=Tune(0, 10),
    )
    most: int = param(20, ge=1, le=100, about="the most facts of a batch")

    def model_work(self) -> ModelWork:
        """A request a batch, so one a record at most; how many facts there are in a record depends on the talk."""
        return ModelWork(shown=1 + self.context, units=2)


@operator("facts", "units", FactsParams, needs_model=True, needs_services=True)
def facts(params: FactsParams, history: History, services: Services) -> Units:
    """Statements that a model takes out of batches of records, each with the records that it comes from.

    Where a batch begins depends only on the records beside it: one that is added, changed or removed has the batches
    around it read again (with ``context``, those that show it too), never the rest of its session. A batch that is too
    much for the model is read in halves; one whose request failed keeps its text as one memory; one that says nothing
    worth keeping leaves none. As in Mem0 (Chhikara et al. 2025), whose batch is an exchange.
    """
    waiting = _batches(params, history, services)
    earlier = _earlier(history, params.context)
    found: dict[int, list[Written]] = {}
    while waiting := [batch for batch in waiting if any(history.texts[row].strip() for row in batch)]:
        replies = ask_helper(services, [_request(params, history, batch, earlier) for batch in waiting])
        halves = []
        for batch, reply in zip(waiting, replies, strict=True):
            if reply.failure in TOO_MUCH and len(batch) > 1:
                halves += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
            else:
                found[batch[0]] = _facts(history, batch, reply, params.most)
        waiting = halves
    return written_units(history, [fact for _, own in sorted(found.items()) for fact in own])


def _batches(params: FactsParams, history: History, services: Services) -> list[list[int]]:
    if params.batch == "record":
        return single(history)
    if params.batch == "exchange":
        return exchanges(history, params.opener, params.size)
    if params.batch == "window":
        return windows(history, params.size)
    return topic_groups(history, services, params.threshold, 1, params.tokens)


def _earlier(history: History, count: int) -> Mapping[int, list[int]]:
    """By row, up to that many records before it in its session."""
    return {row: session[max(0, i - count) : i] for session in by_session(history) for i, row in enumerate(session)}


def _request(params: FactsParams, history: History, batch: list[int], earlier: Mapping[int, list[int]]) -> Request:
    return prompted(
        PROMPT,
        # twice as many are let pass, so that one too many does not cost the others; no list goes on for ever
        object_of(facts={"type": "array", "items": FACT, "maxItems": 2 * params.most}),
        messages=messages(history, batch),
        earlier=messages(history, earlier[batch[0]]),
        most=params.most,
    )


def _facts(history: History, batch: list[int], reply: Reply, most: int) -> list[Written]:
    if not reply.ok:
        return [_as_it_is(history, batch)]
    written = list(_written(batch, reply.value["facts"][:most]))
    # facts without words are no facts: the batch is kept as where the request failed
    return written if written or not reply.value["facts"] else [_as_it_is(history, batch)]


def _written(batch: list[int], found: Iterable[Mapping[str, Any]]) -> Iterator[Written]:
    seen = set()
    for fact in found:
        text = fact["text"].strip()
        if text and text not in seen:
            seen.add(text)
            rows = sorted({batch[n - 1] for n in fact["from"] if 1 <= n <= len(batch)})
            yield text, rows or batch


def _as_it_is(history: History, batch: list[int]) -> Written:
    return JOIN.join(history.texts[row] for row in batch), batch
