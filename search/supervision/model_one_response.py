"""Questions with their plans, by a model in one response: what two stages are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.requests import Reply
from designsearch.search.supervision.asking import ask, failed, fingerprint_of
from designsearch.search.supervision.checks import Checks, checked
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.numbered import Numbered
from designsearch.search.supervision.plan_replies import read_plan
from designsearch.search.supervision.plan_requests import ONE_RESPONSE, ONE_RESPONSE_SCHEMA, plan_request


class PlanOneResponseGenerator:
    """Plan and question come together; both are checked. See :class:`~.contracts.Generator`.

    Attributes:
        unknown_numbers: numbers in replies so far that named no record.

    Args:
        model: the planner.
        checks: of plans and questions.
    """

    name = "plan-one-response"

    def __init__(self, model: Model, checks: Checks) -> None:
        self._model = model
        self._checks = checks
        self.unknown_numbers = 0

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [ONE_RESPONSE])

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; one request a bundle."""
        requests = [plan_request(ONE_RESPONSE, ONE_RESPONSE_SCHEMA, one) for one in materials]
        return [self._draft(*pair) for pair in zip(materials, ask(self._model, requests), strict=True)]

    def _draft(self, material: Material, reply: Reply) -> Draft | Rejection:
        if not reply.ok:
            return failed("plan", reply)
        reading = read_plan(reply.value, Numbered(material.sources))
        self.unknown_numbers += reading.unknown
        if isinstance(reading.plan, Rejection):
            return reading.plan
        return checked(Draft(material, reading.plan, reply.value["question"].strip()), self._checks)
