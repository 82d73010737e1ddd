"""Questions straight from one record, by a model: the naive way that planning is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import AnswerType
from designsearch.search.supervision.asking import ask, failed, fingerprint_of
from designsearch.search.supervision.checks import Checks, checked
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.numbered import Numbered
from designsearch.search.supervision.plan_replies import NOTHING
from designsearch.search.supervision.plans import PLAN_SCHEMA
from designsearch.search.supervision.short_plans import short_plan

DIRECT = "supervise/direct"

ANSWER_TYPE = {"type": "string", "enum": list(get_args(AnswerType))}
VALUE = PLAN_SCHEMA["properties"]["answer"]

SCHEMA = object_of(quote={"type": "string"}, question={"type": "string"}, answer_type=ANSWER_TYPE, answer=VALUE)
"""The quote stands first, so that a model that writes in order has chosen what it asks about."""


class DirectGenerator:
    """Question, answer and quote from the first record of a bundle, in one request.

    See :class:`~.contracts.Generator`. The other records of the bundle are not shown to the planner; a blind reader
    gets them all.

    Args:
        model: the planner.
        checks: of plans and questions.
    """

    name = "direct"

    def __init__(self, model: Model, checks: Checks) -> None:
        self._model = model
        self._checks = checks

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [DIRECT])

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; one request a bundle."""
        requests = [prompted(DIRECT, SCHEMA, record=Numbered(one.sources[:1]).texts[0]) for one in materials]
        return [self._draft(*pair) for pair in zip(materials, ask(self._model, requests), strict=True)]

    def _draft(self, material: Material, reply: Reply) -> Draft | Rejection:
        if not reply.ok:
            return failed("question", reply)
        said = reply.value
        if said["answer"] is None:
            return Rejection("question", NOTHING)
        question, records = said["question"].strip(), Numbered(material.sources)
        plan = short_plan(question, said["answer"], said["answer_type"], [(1, said["quote"])], records).plan
        return plan if isinstance(plan, Rejection) else checked(Draft(material, plan, question), self._checks)
