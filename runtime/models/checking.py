"""``answer.check``: drafted answers are checked against their contexts by the helper, and sent back where they fail.

The helper also writes the revised answers, whoever drafted the first ones: rules cannot be told what is wrong with
their answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designsearch.dsl.design import CheckPlan
from designsearch.runtime.models.answering import answer_of
from designsearch.runtime.models.base import Ask, Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.records import Answer

CHECK = "answer/check"
REVISE = "answer/revise"

SCHEMA = object_of(problem={"type": "string"}, supported={"type": "boolean"})
"""The problem stands first, so that a model that writes in order has looked before it says the verdict."""


@dataclass(slots=True)
class _Draft:
    """A draft on its way.

    Attributes:
        ask: the question.
        answer: the answer so far, with all that it took.
        problem: why the context does not support it; empty where it does, or where nobody could tell.
        unsupported: whether the last check said so.
    """

    ask: Ask
    answer: Answer
    problem: str = ""
    unsupported: bool = False


def checked(helper: Model, plan: CheckPlan, asks: Sequence[Ask], drafts: Sequence[Answer]) -> list[Answer]:
    """The drafts that pass, and what became of the others.

    Abstentions and failures have nothing to check. A check that fails keeps the draft; a revision that fails leaves the
    draft unsupported.

    Args:
        helper: checks and revises; all drafts of a round in one batch.
        plan: rounds of revision, and what an unsupported answer becomes after the last one.
        asks: the questions with their contexts, shape (questions,).
        drafts: the answers so far, shape (questions,).

    Returns:
        One answer a question; time, calls and cost of checks and revisions are added to the draft's.

    Raises:
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    made = [_Draft(ask, answer) for ask, answer in zip(asks, drafts, strict=True)]
    _check(helper, [draft for draft in made if draft.answer.text])
    for _ in range(plan.rounds):
        sent_back = [draft for draft in made if draft.unsupported]
        _check(helper, _revise(helper, sent_back))
    if plan.unsupported == "keep":
        return [draft.answer for draft in made]
    return [_abstention(draft.answer) if draft.unsupported else draft.answer for draft in made]


def _check(helper: Model, drafts: Sequence[_Draft]) -> None:
    requests = [_request(CHECK, draft.ask, SCHEMA, draft=draft.answer.text) for draft in drafts]
    for draft, reply in zip(drafts, _complete(helper, requests), strict=True):
        draft.answer = _with_cost(draft.answer, reply)
        draft.unsupported = reply.ok and not reply.value["supported"]
        draft.problem = reply.value["problem"] if draft.unsupported else ""


def _revise(helper: Model, drafts: Sequence[_Draft]) -> list[_Draft]:
    """Ask again; those with a new text are returned, to be checked."""
    requests = [
        _request(REVISE, one.ask, None, one.ask.max_output_tokens, draft=one.answer.text, problem=one.problem)
        for one in drafts
    ]
    revised = []
    for draft, reply in zip(drafts, _complete(helper, requests), strict=True):
        before, new = draft.answer, answer_of(reply)
        draft.answer = _with_cost(before, reply)
        if new.failure:
            continue
        draft.answer = replace(draft.answer, text=new.text, abstained=new.abstained)
        if new.abstained:
            draft.unsupported = False
        else:
            revised.append(draft)
    return revised


def _complete(helper: Model, requests: Sequence[Request]) -> list[Reply]:
    return helper.complete(requests) if requests else []


def _request(
    name: str, ask: Ask, schema: Mapping[str, Any] | None, max_output_tokens: int | None = None, **about_draft: str
) -> Request:
    return prompted(
        name,
        schema,
        max_output_tokens=max_output_tokens,
        replicate=ask.replicate,
        question=ask.question,
        context=ask.context.text,
        as_of=ask.as_of,
        **about_draft,
    )


def _with_cost(answer: Answer, reply: Reply) -> Answer:
    return replace(
        answer,
        seconds=answer.seconds + reply.seconds,
        calls=answer.calls + reply.calls,
        cost=answer.cost + reply.cost,
    )


def _abstention(answer: Answer) -> Answer:
    return replace(answer, text="", abstained=True)
