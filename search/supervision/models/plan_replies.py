"""A model's reply, checked against ``PLAN_SCHEMA``, as a plan: numbers become ids, quotes get their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designsearch.runtime.records import AnswerType, Value
from designsearch.search.metrics.typed import canonical
from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.quotes import locate
from designsearch.search.supervision.plans import Plan

NOTHING = "nothing worth asking"
"""The reason of a rejection where the planner says that a bundle makes no question."""

NO_QUOTE = "quote not in the record"


@dataclass(frozen=True, slots=True)
class PlanReading:
    """What a reply says.

    Attributes:
        plan: the plan, or why the reply makes none.
        unknown: numbers in it that name no record; whatever stood with them is left out.
    """

    plan: Plan | Rejection
    unknown: int


def read_plan(value: Mapping[str, Any], records: Numbered) -> PlanReading:
    """The plan that a reply makes.

    Args:
        value: the reply.
        records: as they were shown.
    """
    if value["answer"] is None or not value["facts"]:
        return PlanReading(Rejection("plan", NOTHING, value["intent"]), 0)
    facts, misquoted, unknown = [], [], 0
    for fact in value["facts"]:
        citations = [citation_of(one["record"], one["quote"], records) for one in fact["citations"]]
        unknown += sum(one is None for one in citations)
        misquoted += [one for one in citations if isinstance(one, Rejection)]
        facts.append(_valued(fact) | {"citations": [one for one in citations if isinstance(one, dict)]})
    if misquoted:
        return PlanReading(misquoted[0], unknown)
    evidence = [(records.source(one["record"]), one["contribution"]) for one in value["evidence"]]
    unknown += sum(source is None for source, _ in evidence)
    plain = {
        **value,
        "facts": facts,
        "evidence": [{"record": source.record, "contribution": said} for source, said in evidence if source],
        "operations": [_valued(operation) for operation in value["operations"]],
        "answer": settled(value["answer"], value["answer_type"]),
    }
    return PlanReading(Plan.from_json(plain), unknown)


def citation_of(number: int, quote: str, records: Numbered) -> dict[str, Any] | Rejection | None:
    """Where a quote stands; ``None`` where no record has that number.

    Returns:
        The attributes of a :class:`~designsearch.search.supervision.plans.Citation`, with the record's own spelling of
        the quote; or the rejection of what rests on a quote that does not stand in its record.
    """
    source = records.source(number)
    if source is None:
        return None
    found = locate(quote, source.text)
    if found is None:
        return Rejection("check", NO_QUOTE, f"record {number} does not say {quote!r}")
    start, end = found
    return {"record": source.record, "start": start, "end": end, "quote": source.text[start:end]}


def _valued(part: Mapping[str, Any]) -> dict[str, Any]:
    """A fact or an operation whose empty value is none: where a key must be there, models write ``""`` for it."""
    return {**part, "value": part["value"] if part["value"] not in ("", []) else None}


def settled(answer: Value, answer_type: AnswerType) -> Value:
    """An answer in the one form of its type where there is one: yes and no as such, a date in ISO 8601."""
    if answer_type not in ("boolean", "date"):
        return answer
    form = canonical(answer, answer_type)
    return form if isinstance(form, bool | str) else answer
