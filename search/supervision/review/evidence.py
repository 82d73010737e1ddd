"""Whether an evidence record adds to the answer: a value that is worked with, or a part of what the question asks."""

from __future__ import annotations

import numpy as np

from designsearch.search.supervision.checks.value_in_text import stands_in
from designsearch.search.supervision.contracts import Draft, Source
from designsearch.search.supervision.plans import Plan
from designsearch.search.supervision.reading.coverage import Shown
from designsearch.search.supervision.reading.soft_terms import terms_of
from designsearch.search.supervision.reading.soft_words import Scores, SoftWords
from designsearch.search.supervision.reading.sources import read_source
from designsearch.search.supervision.source_days import day_of_time

GAIN = 0.25
"""How much more of one of the question's words a record has to say than all the others."""
TOUCH = 0.35
"""How much of one of the question's words a record has to say whose value is worked with."""

_SELECTING = frozenset({"lookup", "bridge"})
"""Operations that take the value of one of their inputs alone."""


def contributes(record: str, draft: Draft, soft: SoftWords) -> str:
    """Why a record adds nothing; empty where it does."""
    plan = draft.plan
    facts = [fact for fact in plan.facts if any(c.record == record for c in fact.citations)]
    if not facts:
        return "no fact cites it"
    sources = [source for source in draft.material.sources if source.record in plan.records]
    own = _says([source for source in sources if source.record == record], draft, soft)
    rest = _says([source for source in sources if source.record != record], draft, soft)
    if not len(own):
        return ""
    if (own - rest).max() >= GAIN:
        return ""
    if not _is_selected(plan):
        return "" if own.max() >= TOUCH else "it has nothing to do with the question"
    if _holds_answer(plan, record, draft) and not _others_hold_answer(plan, record, draft):
        return ""
    return "it says nothing of the question that the others do not say"


def _says(sources: list[Source], draft: Draft, soft: SoftWords) -> Scores:
    """How much of each of the question's words some sources say, shape (terms,), and last its time."""
    terms = terms_of(draft.question, soft, day_of_time(draft.as_of))
    if not len(terms) and not terms.periods:
        return np.zeros(0, np.float32)
    match = Shown([read_source(source) for source in sources], soft).match(terms)
    words = match.near.max(axis=1) if match.near.shape[1] else np.zeros(len(terms), np.float32)
    timed = match.in_time.max(initial=0.0) if terms.periods else 0.0
    return np.append(words, np.float32(timed)).astype(np.float32)


def _is_selected(plan: Plan) -> bool:
    return not plan.operations or all(operation.op in _SELECTING for operation in plan.operations)


def _holds_answer(plan: Plan, record: str, draft: Draft) -> bool:
    sources = [source for source in draft.material.sources if source.record == record]
    return stands_in(plan.answer, [(source.text, source.time) for source in sources])


def _others_hold_answer(plan: Plan, record: str, draft: Draft) -> bool:
    return any(_holds_answer(plan, other, draft) for other in plan.records if other != record)
