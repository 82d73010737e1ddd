"""Answers by a language model: one request a question, all of them asked together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from designsearch.prompts.load import prompt
from designsearch.runtime.models.base import Answerer, Ask, Model
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.models.prompted import prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.records import Answer

PROMPT = "answer/answer"

_LABEL = re.compile(r"^[\s*_#>\"'`]*(?:the\s+)?(?:final\s+)?answer(?:\s+is\b[\s*_]*:?|[\s*_]*:)[\s*_]*", re.IGNORECASE)
"""What some models write before an answer, as in ``**Answer:** `` and ``The answer is ``."""

_MARK = re.compile(r"</?\w+ key=[0-9a-f]{8}>")
"""A mark of the prompt's own quotations, which small models repeat."""

_AROUND = " \t\r\n.,;:!?*_`\"'()[]<>\u2018\u2019\u201c\u201d\u00ab\u00bb"

_NO_ANSWER = re.compile(r"no[\s_-]+answer", re.IGNORECASE)

_NO_ANSWER_AND_WHY = re.compile(r"NO[ _]ANSWER\s*[.:;(\n\u2013\u2014-]")
"""The words as they were asked for, with an explanation that was not; ``No answer, she hung up`` is an answer."""


class ModelAnswerer:
    """Answers by a language model, from the context alone.

    Args:
        model: who answers.
        replicates: times that each question is to be asked.
    """

    def __init__(self, model: Model, replicates: int = 1) -> None:
        self._model = model
        self._replicates = replicates

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def fingerprint(self) -> str:
        """Of the model and the prompt."""
        return f"{self._model.fingerprint} {prompt(PROMPT).identity}"

    @property
    def replicates(self) -> int:
        """Times that each question is to be asked."""
        return self._replicates

    def answer_all(self, asks: Sequence[Ask]) -> list[Answer]:
        """See :class:`~designsearch.runtime.models.base.Answerer`."""
        if not asks:
            return []
        return [answer_of(reply) for reply in self._model.complete([_request(ask) for ask in asks])]


def make_answerer(model: Model | None, replicates: int = 1) -> Answerer:
    """Who answers where that model was named for it: rules where none was.

    Args:
        model: the model; ``None`` for the rules, which answer the same each time.
        replicates: times that each question is to be asked of the model.
    """
    return OfflineAnswerer() if model is None else ModelAnswerer(model, replicates)


def answer_of(reply: Reply) -> Answer:
    """What a model's reply says: an answer, that there is none in the context, or why it failed.

    What the reply took stands in the answer either way; a failure is never an abstention.
    """
    took = (reply.seconds, reply.calls, reply.cost)
    if not reply.ok:
        return Answer("", False, *took, failure=reply.why)
    text = _LABEL.sub("", _MARK.sub("", reply.text).strip(), count=1).strip()
    if _NO_ANSWER.fullmatch(text.strip(_AROUND)) or _NO_ANSWER_AND_WHY.match(text):
        return Answer("", True, *took)
    if not text:
        return Answer("", False, *took, failure="no_answer: the reply holds no words")
    return Answer(text, False, *took)


def _request(ask: Ask) -> Request:
    return prompted(
        PROMPT,
        max_output_tokens=ask.max_output_tokens,
        replicate=ask.replicate,
        question=ask.question,
        context=ask.context.text,
        as_of=ask.as_of,
    )
