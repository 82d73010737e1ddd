"""Answers to questions under a design: drafted by whoever answers, checked where the design says so.

Every answer is made here. One that was given before is found again in memory by all that it depends on, so that a
diagnosis does not ask what the evaluation asked already; a failure is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.dsl.design import Design
from designsearch.dsl.problems import UserError
from designsearch.runtime.cache import content_key
from designsearch.runtime.models.base import Answerer, Ask
from designsearch.runtime.models.checking import checked
from designsearch.runtime.records import Answer
from designsearch.runtime.services import Services


def answer_all(design: Design, answerer: Answerer, services: Services, asks: Sequence[Ask]) -> list[Answer]:
    """One answer a question, in order; all that are not known yet are asked in one batch.

    Args:
        design: says whether and how drafts are checked.
        answerer: drafts the answers.
        services: the cache, and the helper that checks.
        asks: the questions with their contexts.

    Raises:
        UserError: the design wants a check and no model has the role helper.
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    keys = [_key(design, answerer, services, ask) for ask in asks]

    def made(rows: list[int]) -> list[Answer]:
        return _made(design, answerer, services, [asks[row] for row in rows])

    return services.cache.get_all(keys, made, keep=lambda answer: not answer.failure)


def _made(design: Design, answerer: Answerer, services: Services, asks: Sequence[Ask]) -> list[Answer]:
    drafts = answerer.answer_all(asks)
    check = design.answer.check
    if check is None:
        return drafts
    if services.helper is None:
        raise UserError("answer.check needs a model for the role helper")
    return checked(services.helper, check, asks, drafts)


def _key(design: Design, answerer: Answerer, services: Services, ask: Ask) -> str:
    check = design.answer.check
    checking = [check.canonical(), services.helper_key] if check is not None else None
    asked = [ask.question, ask.context.text, ask.as_of, ask.max_output_tokens, ask.replicate]
    return content_key("answer", answerer.fingerprint, checking, asked)
