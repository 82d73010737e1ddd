"""Questions by scenarios, by a model: the way of generators of test sets for corpora."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.base import Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.search.supervision.asking import ask, failed, fingerprint_of
from designsearch.search.supervision.checks import Checks, checked
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.model_direct import ANSWER_TYPE, VALUE
from designsearch.search.supervision.numbered import Numbered
from designsearch.search.supervision.plan_replies import NOTHING
from designsearch.search.supervision.scenarios import Scenario, scenario_of
from designsearch.search.supervision.short_plans import short_plan

CORPUS = "supervise/corpus"

SCHEMA = object_of(
    question={"type": "string"},
    answer_type=ANSWER_TYPE,
    answer=VALUE,
    quotes={"type": "array", "items": object_of(record={"type": "integer"}, quote={"type": "string"})},
)


class CorpusGenerator:
    """Question and answer for a scenario, in one request; see :class:`~.contracts.Generator`.

    Attributes:
        unknown_numbers: numbers in replies so far that named no record.

    Args:
        model: the planner.
        checks: of plans and questions.
    """

    name = "corpus"

    def __init__(self, model: Model, checks: Checks) -> None:
        self._model = model
        self._checks = checks
        self.unknown_numbers = 0

    @property
    def fingerprint(self) -> str:
        """Of model and prompt."""
        return fingerprint_of(self._model, [CORPUS])

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """See :class:`~designsearch.search.supervision.contracts.Generator`; one request a bundle."""
        scenarios = [scenario_of(one) for one in materials]
        replies = ask(self._model, [_request(one) for one in scenarios])
        return [self._draft(*each) for each in zip(materials, scenarios, replies, strict=True)]

    def _draft(self, material: Material, scenario: Scenario, reply: Reply) -> Draft | Rejection:
        if not reply.ok:
            return failed("question", reply)
        said = reply.value
        if said["answer"] is None:
            return Rejection("question", NOTHING)
        question, records = said["question"].strip(), Numbered(scenario.sources)
        quotes = [(one["record"], one["quote"]) for one in said["quotes"]]
        reading = short_plan(question, said["answer"], said["answer_type"], quotes, records, scenario.theme)
        self.unknown_numbers += reading.unknown
        if isinstance(reading.plan, Rejection):
            return reading.plan
        return checked(Draft(material, reading.plan, question), self._checks)


def _request(scenario: Scenario) -> Request:
    return prompted(
        CORPUS,
        SCHEMA,
        records=Numbered(scenario.sources).texts,
        asker=scenario.asker,
        theme=scenario.theme,
        style=scenario.style,
        length=scenario.length,
    )
