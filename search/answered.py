"""The answers to questions under a design, and whether they are right: all asked together, then all judged together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from designsearch.dsl.design import Design
from designsearch.runtime.answers import answer_all
from designsearch.runtime.cache import content_key
from designsearch.runtime.models.base import Answerer, Ask
from designsearch.runtime.records import Answer, Context, Question
from designsearch.runtime.services import Services
from designsearch.search.judge import Judge, Judgement, golds_of
from designsearch.search.metrics import text
from designsearch.search.metrics.accuracy import correct, needs_judge
from designsearch.search.metrics.typed import as_text
from designsearch.search.results import QuestionResult


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer to one question.

    Attributes:
        answer: the answer, or its failure.
        correct: whether it is right; ``None``: not measured.
        verdicts: what the judge said, once a repetition of it; empty where it was not asked.
        error: why it was not measured, where something failed.
    """

    answer: Answer
    correct: bool | None = None
    verdicts: tuple[bool | None, ...] = ()
    error: str = ""


def answered(
    design: Design,
    answerer: Answerer,
    judge: Judge | None,
    services: Services,
    asked: Sequence[tuple[Question, Context]],
) -> list[tuple[Answered, ...]]:
    """Ask questions, each as often as the answerer wants, and judge what typed equality cannot decide.

    Args:
        design: limits and checks the answers.
        answerer: who answers.
        judge: who judges; ``None`` leaves open what typed equality cannot decide.
        services: the cache, and the helper for checks.
        asked: each question with its context.

    Returns:
        For each question its answers, one a replicate.

    Raises:
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    times, limit = answerer.replicates, design.answer.max_output_tokens
    asks = [Ask(q.question, context, q.as_of, limit, r) for q, context in asked for r in range(times)]
    answers = answer_all(design, answerer, services, asks)
    questions = [question for question, _ in asked for _ in range(times)]
    judgements = _judgements(judge, services, questions, answers)
    made = [_one(q, a, judgements.get(i)) for i, (q, a) in enumerate(zip(questions, answers, strict=True))]
    return [tuple(made[at : at + times]) for at in range(0, len(made), times)]


def with_answer(result: QuestionResult, question: Question, given: Answered, replicate: int) -> QuestionResult:
    """The result of a question with one of its answers."""
    answer = given.answer
    return replace(
        result,
        answer=None if answer.failure else answer.text,
        abstained=answer.abstained,
        correct=given.correct,
        verdicts=given.verdicts,
        metrics=_text_measures(question, None if answer.failure else answer.text),
        error=given.error,
        seconds=result.seconds + answer.seconds,
        calls=answer.calls,
        cost=answer.cost,
        replicate=replicate,
    )


def _judgements(
    judge: Judge | None, services: Services, questions: Sequence[Question], answers: Sequence[Answer]
) -> dict[int, Judgement]:
    """The judge's word on each answer that needs it, by position."""
    if judge is None:
        return {}
    pairs = list(zip(questions, answers, strict=True))
    open_ones = [i for i, (q, a) in enumerate(pairs) if not a.failure and needs_judge(q, a) and golds_of(q)]
    keys = [_key(judge, questions[i], answers[i].text) for i in open_ones]

    def made(rows: list[int]) -> list[Judgement]:
        return judge.judge_all([(questions[open_ones[row]], answers[open_ones[row]].text) for row in rows])

    found = services.cache.get_all(keys, made, keep=lambda judgement: None not in judgement.verdicts)
    return dict(zip(open_ones, found, strict=True))


def _key(judge: Judge, question: Question, answer: str) -> str:
    return content_key("judgement", judge.fingerprint, question.question, golds_of(question), answer)


def _one(question: Question, answer: Answer, judgement: Judgement | None) -> Answered:
    if answer.failure:
        return Answered(answer, error=f"answerer: {answer.failure}")
    if judgement is None:
        return Answered(answer, correct(question, answer))
    return Answered(answer, correct(question, answer, judgement.correct), judgement.verdicts, judgement.error)


def _text_measures(question: Question, answer: str | None) -> Mapping[str, float | None]:
    """Token F1 (as LoCoMo's evaluator), BLEU-1 and exact match, the best over the gold answers."""
    if not question.answerable:
        return {}
    if answer is None:
        return dict.fromkeys(("f1", "bleu1", "exact_match"))
    golds = [as_text(question.answer), *question.alternatives]
    return {
        "f1": text.best(text.locomo_f1, answer, golds),
        "bleu1": text.best(text.bleu1, answer, golds),
        "exact_match": text.best(lambda p, g: float(text.squad_exact_match(p, g)), answer, golds),
    }
