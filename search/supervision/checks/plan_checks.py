"""Everything that a program can check about a plan: its citations, its facts, its operations and its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from designsearch.runtime.histories.gold import BadGoldError, typed_answer
from designsearch.search.metrics.typed import as_text, canonical, equal
from designsearch.search.supervision.checks.faults import Fault
from designsearch.search.supervision.checks.leaks import leaked
from designsearch.search.supervision.checks.plan_graph import graph_faults
from designsearch.search.supervision.checks.plan_recompute import recompute
from designsearch.search.supervision.checks.value_in_text import stands_in
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.plans import Citation, Fact, Plan


def check_plan(plan: Plan, material: Material) -> list[Fault]:
    """All faults of a plan; none where it can go on.

    Operations are recomputed only where they form a graph at all, and the answer is compared with what they give only
    where they can be recomputed.
    """
    if not plan.answerable:
        return list(_unanswerable(plan))
    faults = [*_intent(plan), *_facts(plan, material), *_evidence(plan)]
    graph = list(graph_faults(plan))
    faults += graph
    if not graph:
        faults += _operations(plan, material)
    return faults


def _unanswerable(plan: Plan) -> Iterator[Fault]:
    if not plan.intent.strip():
        yield Fault("no intent")
    if plan.answer not in (None, "", []):
        yield Fault("not answerable, yet with an answer", as_text(plan.answer))
    if plan.facts or plan.evidence or plan.operations:
        yield Fault("not answerable, yet with facts")


def _intent(plan: Plan) -> Iterator[Fault]:
    if not plan.intent.strip():
        yield Fault("no intent")
    if canonical(plan.answer, plan.answer_type) is None or not _readable(plan):
        yield Fault("answer not canonical", f"{as_text(plan.answer)!r} is no {plan.answer_type}")
    given = leaked(plan.intent, plan)
    if given:
        yield Fault("answer in the intent", given)


def _readable(plan: Plan) -> bool:
    """Whether a file of questions may hold the answer as one of its type."""
    try:
        typed_answer(plan.answer, plan.answer_type)
    except BadGoldError:
        return False
    return True


def _facts(plan: Plan, material: Material) -> Iterator[Fault]:
    if not plan.facts:
        yield Fault("no facts")
    for name, times in Counter(fact.id for fact in plan.facts).items():
        if times > 1 or not name.strip():
            yield Fault("fact id not unique", name)
    texts = {source.record: source.text for source in material.sources}
    for fact in plan.facts:
        if not fact.citations:
            yield Fault("fact without citation", fact.id)
        cited = [fault for citation in fact.citations if (fault := _citation(fact, citation, texts))]
        yield from cited
        if fact.citations and not cited and not _value_stands(fact, material):
            yield Fault("value not in its quotes", f"{fact.id}: {as_text(fact.value)}")


def _citation(fact: Fact, citation: Citation, texts: dict[str, str]) -> Fault | None:
    text = texts.get(citation.record)
    if text is None:
        return Fault("record not in the bundle", f"{fact.id}: {citation.record}")
    start, end = citation.start, citation.end
    if not citation.quote.strip() or not 0 <= start < end <= len(text) or text[start:end] != citation.quote:
        return Fault("quote not in the record", f"{fact.id}: {citation.quote[:80]!r} at {start}:{end}")
    return None


def _value_stands(fact: Fact, material: Material) -> bool:
    """Whether the quotes say the fact's value; a yes or no cannot be looked for."""
    if fact.value is None or isinstance(fact.value, bool) or canonical(fact.value, "boolean") is not None:
        return True
    return stands_in(fact.value, [(c.quote, material.source(c.record).time) for c in fact.citations])


def _evidence(plan: Plan) -> Iterator[Fault]:
    cited = {citation.record for fact in plan.facts for citation in fact.citations}
    for record, times in Counter(plan.records).items():
        if times > 1:
            yield Fault("evidence listed twice", record)
    different = sorted(cited.symmetric_difference(plan.records))
    if different:
        yield Fault("evidence and citations differ", ", ".join(different))
    for one in plan.evidence:
        if not one.contribution.strip():
            yield Fault("no contribution", one.record)


def _operations(plan: Plan, material: Material) -> Iterator[Fault]:
    result, faults = recompute(plan, material)
    yield from faults
    if not faults and not equal(plan.answer, result, plan.answer_type):
        yield Fault("answer is not what the operations give", f"{as_text(plan.answer)}, not {as_text(result)}")
