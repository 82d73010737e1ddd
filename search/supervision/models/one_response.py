"""Questions with their plans, by a model in one response: what two stages are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.runtime.models.requests import Request
from designsearch.search.supervision.contracts import Material, Stage
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.one_request import OneRequestGenerator
from designsearch.search.supervision.models.plan_replies import PlanReading, read_plan
from designsearch.search.supervision.models.plan_requests import ONE_RESPONSE, ONE_RESPONSE_SCHEMA, plan_request


class PlanOneResponseGenerator(OneRequestGenerator):
    """Plan and question come together; both are checked."""

    name = "plan-one-response"
    prompt = ONE_RESPONSE
    stage: Stage = "plan"

    def _request(self, material: Material) -> Request:
        return plan_request(ONE_RESPONSE, ONE_RESPONSE_SCHEMA, material)

    def _plan(self, said: Mapping[str, Any], material: Material) -> PlanReading:
        return read_plan(said, Numbered(material.sources))
