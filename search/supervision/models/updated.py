"""Questions about the current value of something that changed, by a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Request
from designsearch.search.metrics.typed import equal
from designsearch.search.supervision.contracts import Material, Rejection, Source, Stage
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.one_request import ANSWER_TYPE, TEXT, VALUE, OneRequestGenerator
from designsearch.search.supervision.models.plan_replies import NOTHING, PlanReading, citation_of, settled
from designsearch.search.supervision.plans import ANSWER, Citation, Contribution, Fact, Operation, Plan

UPDATED = "supervise/updated"

NO_UPDATE = "the value did not change"
"""The reason of a rejection where both values are the same, or the current one is not the later one."""

_SAID = object_of(record={"type": "integer"}, quote=TEXT, value=VALUE)

SCHEMA = object_of(subject=TEXT, earlier=_SAID, current=_SAID, answer_type=ANSWER_TYPE, question=TEXT)


class UpdatedGenerator(OneRequestGenerator):
    """A question whose answer an earlier record contradicts.

    Its evidence is the record with the current value alone, as the answer is known without the earlier one.
    """

    name = "updated"
    prompt = UPDATED
    stage: Stage = "plan"

    def _request(self, material: Material) -> Request:
        return prompted(UPDATED, SCHEMA, records=Numbered(material.sources).texts)

    def _plan(self, said: Mapping[str, Any], material: Material) -> PlanReading:
        return _read(said, Numbered(material.sources))


def _read(said: Mapping[str, Any], records: Numbered) -> PlanReading:
    earlier, current, kind = said["earlier"], said["current"], said["answer_type"]
    if earlier["value"] is None or current["value"] is None:
        return PlanReading(Rejection("plan", NOTHING), 0)
    cited = [citation_of(one["record"], one["quote"], records) for one in (earlier, current)]
    unknown = sum(one is None for one in cited)
    misquoted = [one for one in cited if isinstance(one, Rejection)]
    if misquoted:
        return PlanReading(misquoted[0], unknown)
    before, after = (records.source(one["record"]) for one in (earlier, current))
    citation = cited[1]
    if before is None or after is None or not isinstance(citation, dict):
        return PlanReading(Rejection("check", "record not in the bundle"), unknown)
    if equal(earlier["value"], current["value"], kind) or not _later(before, after):
        return PlanReading(Rejection("check", NO_UPDATE, said["subject"]), unknown)
    answer = settled(current["value"], kind)
    fact = Fact("f1", citation["quote"], (Citation(**citation),), answer, said["subject"])
    contribution = Contribution(after.record, f"says what {said['subject']} is after a change")
    lookup = Operation("lookup", (fact.id,), ANSWER, answer)
    return PlanReading(Plan(said["question"], kind, answer, (fact,), (contribution,), (lookup,), "updated"), unknown)


def _later(before: Source, after: Source) -> bool:
    """Whether a source was written after another: by their times, else by their places in the history."""
    try:
        return parse_time(after.time).instant > parse_time(before.time).instant
    except BadTimeError:
        return after.row > before.row
