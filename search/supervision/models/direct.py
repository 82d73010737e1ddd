"""Questions straight from one record, by a model: the naive way that planning is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.one_request import ANSWER_TYPE, TEXT, VALUE, OneRequestGenerator
from designsearch.search.supervision.models.plan_replies import PlanReading
from designsearch.search.supervision.models.short_plans import short_plan

DIRECT = "supervise/direct"

SCHEMA = object_of(quote=TEXT, question=TEXT, answer_type=ANSWER_TYPE, answer=VALUE)
"""The quote stands first, so that a model that writes in order has chosen what it asks about."""


class DirectGenerator(OneRequestGenerator):
    """Question, answer and quote from the first record of a bundle.

    The other records of the bundle are not shown to the planner; a blind reader gets them all.
    """

    name = "direct"
    prompt = DIRECT

    def _request(self, material: Material) -> Request:
        return prompted(DIRECT, SCHEMA, record=Numbered(material.sources[:1]).texts[0])

    def _plan(self, said: Mapping[str, Any], material: Material) -> PlanReading:
        return short_plan(said, [(1, said["quote"])], Numbered(material.sources))
