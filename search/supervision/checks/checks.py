"""The program's checks on plans and questions, as generators are given them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from designsearch.search.supervision.checks.faults import Fault
from designsearch.search.supervision.checks.plan_checks import check_plan
from designsearch.search.supervision.checks.question_checks import check_question
from designsearch.search.supervision.contracts import Draft, Material, Rejection, Stage
from designsearch.search.supervision.plans import Plan


@dataclass(frozen=True, slots=True)
class Checks:
    """What a generator has its plans and questions checked by.

    Attributes:
        plan: what is wrong with a plan.
        question: what is wrong with a question.
    """

    plan: Callable[[Plan, Material], Sequence[Fault]]
    question: Callable[[str, Plan, Material], Sequence[Fault]]


PROGRAM_CHECKS = Checks(check_plan, check_question)
"""Everything that a program can check."""


def rejected(stage: Stage, faults: Sequence[Fault]) -> Rejection:
    """The rejection for what is wrong; the first fault is counted, all of them are told."""
    return Rejection(stage, faults[0].reason, "; ".join(map(str, faults)))


def checked(draft: Draft, checks: Checks) -> Draft | Rejection:
    """The draft where nothing is wrong with its plan and question.

    The question goes first where it is the intent too, so that what is wrong with it is counted as its own fault.
    """
    wrong_plan = checks.plan(draft.plan, draft.material)
    if wrong_plan and draft.plan.intent != draft.question:
        return rejected("check", wrong_plan)
    wrong_question = checks.question(draft.question, draft.plan, draft.material)
    if wrong_question:
        return rejected("question", wrong_question)
    return rejected("check", wrong_plan) if wrong_plan else draft
