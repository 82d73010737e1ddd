"""Questions by scenarios, by a model: the way of generators of test sets for corpora."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.one_request import ANSWER_TYPE, TEXT, VALUE, OneRequestGenerator
from designsearch.search.supervision.models.plan_replies import PlanReading
from designsearch.search.supervision.models.scenarios import scenario_of
from designsearch.search.supervision.models.short_plans import short_plan

CORPUS = "supervise/corpus"

SCHEMA = object_of(
    question=TEXT,
    answer_type=ANSWER_TYPE,
    answer=VALUE,
    quotes={"type": "array", "items": object_of(record={"type": "integer"}, quote=TEXT)},
)


class CorpusGenerator(OneRequestGenerator):
    """Question and answer for the scenario of a bundle."""

    name = "corpus"
    prompt = CORPUS

    def _request(self, material: Material) -> Request:
        scenario = scenario_of(material)
        return prompted(
            CORPUS,
            SCHEMA,
            records=Numbered(scenario.sources).texts,
            asker=scenario.asker,
            theme=scenario.theme,
            style=scenario.style,
            length=scenario.length,
        )

    def _plan(self, said: Mapping[str, Any], material: Material) -> PlanReading:
        scenario = scenario_of(material)
        quotes = [(one["record"], one["quote"]) for one in said["quotes"]]
        return short_plan(said, quotes, Numbered(scenario.sources), scenario.theme)
