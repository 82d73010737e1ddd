"""Questions out of plans, by a model, in two stages: only a plan that passes the checks gets its question."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.requests import Reply
from designsearch.search.supervision.checks.checks import Checks, rejected
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.models.asking import ask, failed, fingerprint_of
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.plan_replies import read_plan
from designsearch.search.supervision.models.plan_requests import (
    PLAN,
    QUESTION,
    REPAIR,
    plan_request,
    question_request,
    repair_request,
)
from designsearch.search.supervision.plans import PLAN_SCHEMA, Plan


class PlanGenerator:
    """Plans first; the question is asked for when the plan has passed. See :class:`~..contracts.Generator`.

    A plan with a fault is lost, as in MemSteer (arXiv 2610.39276, section 3.2), unless repairs are asked for.

    Attributes:
        unknown_numbers: numbers in replies so far that named no record.

    Args:
        model: the planner.
        checks: of plans and questions.
        repairs: times that a plan with a fault is sent back with what is wrong with it.
    """

    name = "plan"

    def __init__(self, model: Model, checks: Checks, repairs: int = 0) -> None:
        self._model = model
        self._checks = checks
        self._repairs = repairs
        self.unknown_numbers = 0

    @property
    def fingerprint(self) -> str:
        """Of model and prompts."""
        repairs = (REPAIR,) if self._repairs else ()
        return fingerprint_of(self._model, [PLAN, *repairs, QUESTION], self._repairs)

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; at most two requests a bundle."""
        plans = self._plans(materials)
        planned = [(one, plan) for one, plan in zip(materials, plans, strict=True) if isinstance(plan, Plan)]
        drafts = iter(self._questions(planned))
        return [next(drafts) if isinstance(plan, Plan) else plan for plan in plans]

    def _plans(self, materials: Sequence[Material]) -> list[Plan | Rejection]:
        replies = ask(self._model, [plan_request(PLAN, PLAN_SCHEMA, one) for one in materials])
        plans = [self._plan(*pair) for pair in zip(materials, replies, strict=True)]
        for _ in range(self._repairs):
            returned = [(i, plan) for i, plan in enumerate(plans) if isinstance(plan, Rejection) and _faulty(plan)]
            requests = [repair_request(materials[i], replies[i].value, plan.detail) for i, plan in returned]
            for (i, _), reply in zip(returned, ask(self._model, requests), strict=True):
                plans[i] = self._plan(materials[i], reply)
                replies[i] = reply
        return plans

    def _plan(self, material: Material, reply: Reply) -> Plan | Rejection:
        if not reply.ok:
            return failed("plan", reply)
        reading = read_plan(reply.value, Numbered(material.sources))
        self.unknown_numbers += reading.unknown
        faults = self._checks.plan(reading.plan, material) if isinstance(reading.plan, Plan) else ()
        return rejected("check", faults) if faults else reading.plan

    def _questions(self, planned: Sequence[tuple[Material, Plan]]) -> list[Draft | Rejection]:
        replies = ask(self._model, [question_request(plan, material) for material, plan in planned])
        made: list[Draft | Rejection] = []
        for (material, plan), reply in zip(planned, replies, strict=True):
            if not reply.ok:
                made.append(failed("question", reply))
                continue
            question = reply.value["question"].strip()
            faults = self._checks.question(question, plan, material)
            made.append(rejected("question", faults) if faults else Draft(material, plan, question))
        return made


def _faulty(lost: Rejection) -> bool:
    return lost.stage == "check" and not lost.failed
