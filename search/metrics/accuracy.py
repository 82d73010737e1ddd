"""Is the answer right: by abstention, by typed equality, else by the judge."""

from __future__ import annotations

from designsearch.runtime.records import Answer, Question
from designsearch.search.metrics.typed import decide


def needs_judge(question: Question, answer: Answer) -> bool:
    """Whether only a judge can say if the answer is right."""
    return question.answerable and not answer.abstained and decide(question, answer.text) is None


def correct(question: Question, answer: Answer, judged: bool | None = None) -> bool | None:
    """Whether the answer is right.

    An abstention is right where the question is not answerable and wrong elsewhere; an answer to a question that is
    not answerable is wrong.

    Args:
        question: with its gold answer.
        answer: the answer given.
        judged: the judge's verdict, for where typed equality has none; ``None`` where it failed or was not asked.

    Returns:
        ``None``: not measured.
    """
    if not question.answerable or answer.abstained:
        return answer.abstained and not question.answerable
    verdict = decide(question, answer.text)
    return judged if verdict is None else verdict
