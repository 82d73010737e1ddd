"""Questions that are asked more than once, and ids that are used more than once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from designsearch.runtime.histories.gold import gold_key, same_words
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Evidence, Question


@dataclass(frozen=True, slots=True)
class Conflict:
    """The same question, asked at the same time, with different gold answers.

    Attributes:
        question: its words.
        ids: the ids of the questions that disagree.
    """

    question: str
    ids: tuple[str, ...]

    def __str__(self) -> str:
        """The ids and the words."""
        return f"{', '.join(self.ids)}: {self.question!r}"


def settle(questions: Sequence[Question], report: LoadReport) -> tuple[list[Question], list[Conflict]]:
    """Merge what is the same question twice, find what contradicts itself, and make ids unique.

    Two questions are the same when their words (case and white space aside), time of asking, right answer and type are.
    The merged one keeps the first id and the evidence of both. What differs in its type alone is kept and reported.

    Args:
        questions: the questions as they were read.
        report: gets what was merged and renamed.

    Returns:
        The questions in order, and the conflicts among them.
    """
    kept: dict[tuple[str, str | None, str, str], Question] = {}
    for question in questions:
        key = (same_words(question.question), question.as_of, gold_key(question), question.type)
        first = kept.setdefault(key, question)
        if first is not question:
            report.note("duplicate questions, merged", f"{question.id} into {first.id}")
            kept[key] = replace(first, evidence=_joined(first.evidence, question.evidence))
    unique = _unique_ids(list(kept.values()), report)
    groups: dict[tuple[str, str | None], list[Question]] = {}
    for question in unique:
        groups.setdefault((same_words(question.question), question.as_of), []).append(question)
    several = [group for group in groups.values() if len(group) > 1]
    disagreeing = [group for group in several if len(set(map(gold_key, group))) > 1]
    for group in several:
        if group not in disagreeing:
            report.note("the same question under several types, all kept", ", ".join(q.id for q in group))
    return unique, [Conflict(group[0].question, tuple(q.id for q in group)) for group in disagreeing]


def _joined(first: tuple[Evidence, ...], second: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The evidence of both, each record and quote once."""
    return tuple(dict.fromkeys((*first, *second)))


def _unique_ids(questions: list[Question], report: LoadReport) -> list[Question]:
    """The questions, those with an id that is taken renamed."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    unique = []
    for question in questions:
        name = question.id
        while name in taken:
            numbers[question.id] = numbers.get(question.id, 1) + 1
            name = f"{question.id}~{numbers[question.id]}"
        if name != question.id:
            report.note("duplicate question ids, made unique", f"{question.id} -> {name}")
        taken.add(name)
        unique.append(question if name == question.id else replace(question, id=name))
    return unique
