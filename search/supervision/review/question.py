"""Whether a question asks what its plan says, in words of its own, and stands alone."""

from __future__ import annotations

import re

from designsearch.runtime.models.offline.question import read_question
from designsearch.runtime.records import AnswerType
from designsearch.search.supervision.checks.leaks import leaked
from designsearch.search.supervision.checks.stand_alone import dangling
from designsearch.search.supervision.contracts import Draft, Source
from designsearch.search.supervision.plans import Plan
from designsearch.search.supervision.reading.coverage import Shown
from designsearch.search.supervision.reading.soft_terms import Terms, terms_of
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.reading.sources import read_source
from designsearch.search.supervision.source_days import day_of_asking

SHARE = 0.4
"""Of what the question looks for that plan and evidence have to say."""
UNKNOWN = 0.1
"""A name that is this far from all that plan and evidence say is of something else."""
TELLING = 2
"""Words, names and times that a question needs, so that it can be about one thing."""

_ASKS = {
    "date": re.compile(r"\b(?:when|date|day|month|year|week|time)\b", re.IGNORECASE),
    "number": re.compile(
        r"\bhow\s+(?:much|many|often|long|old|far|tall|big|heavy|high|large|wide|deep)\b|\b(?:number|amount|price|cost"
        r"|total|sum|difference|age|count|percentage|share|distance|weight|height|size|score|budget|fee|rent|salary|what"
        r"|which)\b",
        re.IGNORECASE,
    ),
    "boolean": re.compile(
        r"(?:^|[,;:]\s*)(?:did|does|do|is|are|was|were|has|have|had|can|could|will|would|should|am)\b|\byes\s+or\s+no\b"
        r"|\bwhether\b",
        re.IGNORECASE,
    ),
}


def mismatch(draft: Draft, soft: SoftWords) -> str:
    """Why a question does not match its plan; empty where it does."""
    question, plan = draft.question, draft.plan
    pointer = dangling(question)
    if pointer:
        return f"the question does not stand alone: {pointer}"
    given = leaked(question, plan, draft.as_of)
    if given:
        return f"the question gives its answer away: {given}"
    if not _asks_for(question, plan.answer_type):
        return f"the question does not ask for a {plan.answer_type}"
    return _matched(draft, soft) if plan.answerable else ""


def _asks_for(question: str, wanted: AnswerType) -> bool:
    """Whether a question may be answered by that type; a text or a list may answer anything but yes-or-no and when."""
    pattern = _ASKS.get(wanted)
    if pattern is not None:
        return bool(pattern.search(question))
    return read_question(question, None).kind not in ("boolean", "when", "count", "times", "money")


def _matched(draft: Draft, soft: SoftWords) -> str:
    evidence = [source for source in draft.material.sources if source.record in draft.plan.records]
    # asked after everything, "on March 5" is the last one that there was
    base = day_of_asking(draft.as_of, evidence)
    terms = terms_of(draft.question, soft, base, read_question(draft.question, base))
    if len(terms) + len(terms.periods) < TELLING:
        return "the question says too little of what it is about"
    match = Shown([read_source(source) for source in [*evidence, _as_source(draft.plan)]], soft).match(terms)
    best = match.near.max(axis=1) if match.near.shape[1] else terms.weights * 0
    strange = _strange(terms, best.tolist())
    if strange:
        return f"neither plan nor evidence knows {strange}"
    if terms.periods and match.in_time.max(initial=0.0) <= 0:
        return "the evidence is of another time than the question"
    share = float(terms.weights @ best) / max(float(terms.weights.sum()), 1e-6)
    return "" if share >= SHARE else f"only {share:.0%} of the question is in plan and evidence"


def _strange(terms: Terms, best: list[float]) -> str:
    """A name or a number of the question that stands nowhere."""
    for word, name, held in zip(terms.words, terms.names.tolist(), best, strict=True):
        if held < UNKNOWN and (name or word.isdigit()):
            return word
    return ""


def _as_source(plan: Plan) -> Source:
    """What a plan says, as a record: what its facts state, and what they are about."""
    said = [plan.intent, *(f"{fact.statement} {fact.about}" for fact in plan.facts)]
    return Source("plan", -1, "\n".join(said))
