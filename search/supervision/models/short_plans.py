"""The least plan that a question has whose generator makes none: its quotes are the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.runtime.records import Value
from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.plan_replies import NOTHING, PlanReading, citation_of, settled
from designsearch.search.supervision.plans import ANSWER, Citation, Contribution, Fact, Operation, Plan


def short_plan(
    said: Mapping[str, Any], quotes: Sequence[tuple[int, str]], records: Numbered, about: str = ""
) -> PlanReading:
    """A lookup where the quotes are of one record, else a bridge; none where there is no answer.

    Args:
        said: the reply, with a ``question``, which is also the intent, an ``answer`` and its ``answer_type``.
        quotes: number of a record and words of it, the one with the answer last.
        records: as they were shown.
        about: what links the records.
    """
    if said["answer"] is None:
        return PlanReading(Rejection("question", NOTHING), 0)
    found = [citation_of(number, quote, records) for number, quote in quotes]
    unknown = sum(one is None for one in found)
    misquoted = [one for one in found if isinstance(one, Rejection)]
    if misquoted:
        return PlanReading(misquoted[0], unknown)
    question, answer_type = said["question"].strip(), said["answer_type"]
    answer = settled(said["answer"], answer_type)
    facts = _facts([one for one in found if isinstance(one, dict)], answer, about)
    bridged = len({fact.citations[0].record for fact in facts}) > 1
    inputs = tuple(fact.id for fact in facts)
    operation = Operation("bridge" if bridged else "lookup", inputs if bridged else inputs[-1:], ANSWER, answer)
    evidence = tuple(Contribution(record, "says what is quoted from it") for record in _records(facts))
    return PlanReading(Plan(question, answer_type, answer, facts, evidence, (operation,), operation.op), unknown)


def _facts(found: Sequence[dict[str, Any]], answer: Value, about: str) -> tuple[Fact, ...]:
    """One a quote; those of the record of the last one, which holds the answer, are one fact."""
    citations = [Citation(**one) for one in found]
    last = citations[-1].record if citations else ""
    before = [[one] for one in citations if one.record != last]
    groups = [*before, [one for one in citations if one.record == last]] if citations else []
    return tuple(
        Fact(
            id=f"f{number}",
            statement=" ".join(one.quote for one in group),
            citations=tuple(group),
            value=answer if number == len(groups) else None,
            about=about,
        )
        for number, group in enumerate(groups, start=1)
    )


def _records(facts: Sequence[Fact]) -> list[str]:
    return list(dict.fromkeys(one.record for fact in facts for one in fact.citations))
