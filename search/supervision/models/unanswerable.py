"""Questions that a bundle leaves open though it well could answer them, by a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.one_request import ANSWER_TYPE, TEXT, OneRequestGenerator
from designsearch.search.supervision.models.plan_replies import PlanReading
from designsearch.search.supervision.plans import Plan

UNANSWERABLE = "supervise/unanswerable"

SCHEMA = object_of(intent=TEXT, missing=TEXT, answer_type=ANSWER_TYPE, question=TEXT)


class UnanswerableGenerator(OneRequestGenerator):
    """A question to which the right answer is that it is not known.

    That the rest of the history leaves it open too is for the verification to find out.
    """

    name = "unanswerable"
    prompt = UNANSWERABLE

    def _request(self, material: Material) -> Request:
        return prompted(UNANSWERABLE, SCHEMA, records=Numbered(material.sources).texts)

    def _plan(self, said: Mapping[str, Any], material: Material) -> PlanReading:
        return PlanReading(Plan(said["intent"], said["answer_type"], None, kind=self.name, answerable=False), 0)
