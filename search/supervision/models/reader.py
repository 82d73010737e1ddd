"""Blind answers by a model, from a question, the type of its answer, and records alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.records import AnswerType
from designsearch.search.supervision.contracts import BlindAsk, Reading
from designsearch.search.supervision.models.asking import ask, fingerprint_of
from designsearch.search.supervision.models.numbered import Numbered

RECOVER = "supervise/recover"

_TEXT_OR_NULL: Mapping[str, Any] = {"type": ["string", "null"]}

_ANSWERS: dict[AnswerType, Mapping[str, Any]] = {
    "text": _TEXT_OR_NULL,
    "number": _TEXT_OR_NULL,
    "date": _TEXT_OR_NULL,
    "boolean": {"type": ["boolean", "null"]},
    "list": {"type": ["array", "null"], "items": {"type": "string"}},
}
"""A number is a text, since it has a unit."""


class ModelReader:
    """A model reads blindly; see :class:`~..contracts.Reader`.

    Attributes:
        unknown_numbers: numbers in replies so far that named no record.

    Args:
        model: the reader.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.unknown_numbers = 0

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [RECOVER])

    def read(self, asks: Sequence[BlindAsk]) -> list[Reading]:
        """See :class:`~designsearch.search.supervision.contracts.Reader`; one request a question."""
        replies = ask(self._model, [_request(one) for one in asks])
        return [self._reading(*pair) for pair in zip(asks, replies, strict=True)]

    def _reading(self, asked: BlindAsk, reply: Reply) -> Reading:
        """What the reply says; an answer that is not given is the same as not answerable."""
        if not reply.ok:
            return Reading(failure=reply.why)
        said = reply.value
        citations, unknown = Numbered(asked.sources).records(said["citations"])
        self.unknown_numbers += unknown
        answerable = said["answerable"] and said["answer"] not in (None, "", [])
        return Reading(answerable, said["answer"] if answerable else None, citations)


def schema_of(answer_type: AnswerType) -> dict[str, Any]:
    """Of a reply; the records stand first, so that a model that writes in order has found them before it answers."""
    return object_of(
        citations={"type": "array", "items": {"type": "integer"}},
        answerable={"type": "boolean"},
        answer=_ANSWERS[answer_type],
    )


def _request(asked: BlindAsk) -> Request:
    return prompted(
        RECOVER,
        schema_of(asked.answer_type),
        question=asked.question,
        answer_type=asked.answer_type,
        records=Numbered(asked.sources).texts,
        as_of=asked.as_of or "",
    )
