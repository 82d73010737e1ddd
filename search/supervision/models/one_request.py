"""What the generators share that ask a model once a bundle: question and plan come out of the same reply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.records import AnswerType
from designsearch.search.supervision.checks.checks import Checks, checked
from designsearch.search.supervision.contracts import Draft, Material, Rejection, Stage
from designsearch.search.supervision.models.asking import ask, failed, fingerprint_of
from designsearch.search.supervision.models.plan_replies import PlanReading
from designsearch.search.supervision.plans import PLAN_SCHEMA

TEXT: Mapping[str, Any] = {"type": "string"}
ANSWER_TYPE: Mapping[str, Any] = {"type": "string", "enum": list(get_args(AnswerType))}
VALUE: Mapping[str, Any] = PLAN_SCHEMA["properties"]["answer"]
"""Schemas of parts of replies."""


class OneRequestGenerator(ABC):
    """Asks once a bundle, and checks what comes; see :class:`~..contracts.Generator`.

    Attributes:
        name: as ``--generator`` names it.
        prompt: the name of what is asked.
        stage: where a bundle is lost for which the model gave no usable reply.
        unknown_numbers: numbers in replies so far that named no record.

    Args:
        model: the planner.
        checks: of plans and questions.
    """

    name: str
    prompt: str
    stage: Stage = "question"

    def __init__(self, model: Model, checks: Checks) -> None:
        self._model = model
        self._checks = checks
        self.unknown_numbers = 0

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [self.prompt])

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; one request a bundle."""
        replies = ask(self._model, [self._request(one) for one in materials])
        return [self._draft(*pair) for pair in zip(materials, replies, strict=True)]

    @abstractmethod
    def _request(self, material: Material) -> Request:
        """What the model is asked for a bundle; its reply has a ``question``."""

    @abstractmethod
    def _plan(self, said: Mapping[str, Any], material: Material) -> PlanReading:
        """The plan of the question in a reply."""

    def _draft(self, material: Material, reply: Reply) -> Draft | Rejection:
        if not reply.ok:
            return failed(self.stage, reply)
        reading = self._plan(reply.value, material)
        self.unknown_numbers += reading.unknown
        if isinstance(reading.plan, Rejection):
            return reading.plan
        return checked(Draft(material, reading.plan, reply.value["question"].strip()), self._checks)
