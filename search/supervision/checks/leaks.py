"""Whether a question gives its own answer away."""

from __future__ import annotations

from designsearch.runtime.records import AnswerType, Value
from designsearch.search.metrics.dates import parse_date
from designsearch.search.metrics.numbers import parse_number
from designsearch.search.metrics.typed import as_text, items
from designsearch.search.supervision.checks.value_in_text import dates_of, has_words, numbers_of, same_number
from designsearch.search.supervision.plans import Plan
from designsearch.search.supervision.source_days import day_of_time

LONGEST = 2_000
"""Characters of a text that are read."""
CHOOSING = frozenset({"compare", "sort"})
"""Operations whose answer is one of the things that the question has to name."""


def leaked(text: str, plan: Plan, as_of: str | None = None) -> str:
    """What of a plan's answer stands in a text, a question or an intent; empty where nothing does.

    A yes or no cannot be given away. Nor can one of several things between which the question asks to choose: then the
    text has to name all of them.
    """
    text, answer = text[:LONGEST], plan.answer
    if answer is None or plan.answer_type == "boolean" or _offers_choice(text, plan):
        return ""
    parts: list[str] = items(answer) if plan.answer_type == "list" else [as_text(answer)]
    return next((part for part in parts if part and _says(text, part, plan.answer_type, as_of)), "")


def _offers_choice(text: str, plan: Plan) -> bool:
    last = plan.operations[-1] if plan.operations else None
    if last is None or last.op not in CHOOSING:
        return False
    offered = [fact.about for fact in plan.facts if fact.id in _roots(plan) and fact.about]
    return len(set(offered)) > 1 and all(has_words(text, about) for about in offered)


def _roots(plan: Plan) -> set[str]:
    """Facts that the last operation compares, itself or through others."""
    by_output = {operation.output: operation for operation in plan.operations}
    found: set[str] = set()
    waiting = [plan.operations[-1].output]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += by_output[name].inputs if name in by_output else ()
    return found


def _says(text: str, answer: str, answer_type: AnswerType, as_of: str | None) -> bool:
    base = day_of_time(as_of)
    number: Value = answer
    wanted = parse_number(number)
    if wanted is not None:
        return any(same_number(wanted, said) for said in numbers_of(text, base))
    if has_words(text, answer):
        return True
    day = parse_date(answer) if answer_type in ("date", "list") else None
    return day is not None and any(said.says(day) for said in dates_of(text, base))
