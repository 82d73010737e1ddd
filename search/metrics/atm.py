"""The question score of ATM-Bench: exact for numbers, Jaccard for lists, a judge for the rest."""

from __future__ import annotations

from designsearch.runtime.records import Question, Value
from designsearch.search.metrics.typed import canonical, equal


def atm_score(question: Question, answer: str, judged: float | None) -> float | None:
    """The score of one answer, between 0 and 1; of several gold answers the best one counts.

    Args:
        question: with its gold answer and the type of answer wanted.
        answer: the answer given; an empty one scores 0 where no judge is needed.
        judged: the judge's score of an open answer; ``None`` where it gave none.

    Returns:
        1 or 0 by typed equality for numbers, dates and booleans; the Jaccard index of the item sets for lists;
        ``judged`` for text. ``None`` (not measured) where the judge failed, where the question has no gold answer of
        its type, or where it is not answerable.
    """
    if not question.answerable:
        return None
    if question.answer_type == "text":
        return judged
    golds: list[Value] = [question.answer, *question.alternatives]
    usable = [gold for gold in golds if canonical(gold, question.answer_type) is not None]
    if not usable:
        return None
    if question.answer_type == "list":
        return max(jaccard(answer, gold) for gold in usable)
    return float(any(equal(answer, gold, question.answer_type) for gold in usable))


def jaccard(a: Value, b: Value) -> float:
    """Size of the intersection of two lists' item sets over that of their union; 0 where both are empty."""
    left, right = canonical(a, "list"), canonical(b, "list")
    first = set(left) if isinstance(left, tuple) else set()
    second = set(right) if isinstance(right, tuple) else set()
    union = first | second
    return len(first & second) / len(union) if union else 0.0
