"""How far a judge can be trusted: it is asked what is known already, and its repetitions are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from designsearch.runtime.records import Question
from designsearch.search.evaluate import Task
from designsearch.search.judge import Judge, golds_of, majority
from designsearch.search.metrics.typed import decide
from designsearch.search.results import QuestionResult

MOST = 20
"""Answers of known verdict that a judge is asked about."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a judge said in an evaluation, and how it agrees with rules and with itself.

    Attributes:
        judge: its name.
        verdicts: answers that it judged.
        unmeasured: answers that it was asked about and did not judge: it failed, or its repetitions were tied.
        known: answers decided by typed equality that it was asked about as well and judged.
        agreed: of those, how many it judged alike.
        pairs: pairs of its verdicts on the same answer.
        alike: of those, how many are equal.
    """

    judge: str
    verdicts: int
    unmeasured: int
    known: int
    agreed: int
    pairs: int
    alike: int

    @property
    def replicates(self) -> float | None:
        """Share of the pairs that are equal; ``None`` where nothing was judged twice."""
        return self.alike / self.pairs if self.pairs else None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "name": self.judge,
            "verdicts": self.verdicts,
            "unmeasured": self.unmeasured,
            "typed_equality": {"asked": self.known, "agreed": self.agreed},
            "replicates_agree": self.replicates,
        }


def agreement(judge: Judge, tasks: Sequence[Task], results: Iterable[QuestionResult], *, seed: int = 0) -> Agreement:
    """Sum up a judge's verdicts, and ask it about some answers that typed equality decided.

    Args:
        judge: who judged.
        tasks: the histories with their questions.
        results: of any designs.
        seed: of the choice of those answers.

    Raises:
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    every = list(results)
    asked = [result.verdicts for result in every if result.verdicts]
    known, agreed, calibrated = calibrate(judge, _decided(tasks, every), seed=seed)
    alike, pairs = _pairs([*asked, *calibrated])
    judged = sum(majority(verdicts) is not None for verdicts in asked)
    return Agreement(judge.name, judged, len(asked) - judged, known, agreed, pairs, alike)


def calibrate(
    judge: Judge, decided: Sequence[tuple[Question, str, bool]], *, seed: int = 0, most: int = MOST
) -> tuple[int, int, list[tuple[bool | None, ...]]]:
    """Ask a judge about answers whose verdict is known.

    Args:
        judge: the judge.
        decided: question, answer and verdict, each answer once.
        seed: of the choice where there are more.
        most: answers that it is asked about.

    Returns:
        How many it judged, how many of those alike, and all its verdicts.
    """
    order = np.random.default_rng(seed).permutation(len(decided))[:most]
    chosen = [decided[i] for i in sorted(order.tolist())]
    judgements = judge.judge_all([(question, answer) for question, answer, _ in chosen])
    measured = [
        (one.correct, right) for one, (_, _, right) in zip(judgements, chosen, strict=True) if one.correct is not None
    ]
    return len(measured), sum(said == right for said, right in measured), [one.verdicts for one in judgements]


def _decided(tasks: Sequence[Task], results: Iterable[QuestionResult]) -> list[tuple[Question, str, bool]]:
    """Each different answer that typed equality decides, with its verdict."""
    questions = {(task.name, question.id): question for task in tasks for question in task.questions}
    found = {}
    for result in results:
        question = questions[result.key]
        if result.answer and question.answerable and golds_of(question):
            right = decide(question, result.answer)
            if right is not None:
                found[result.key, result.answer] = (question, result.answer, right)
    return list(found.values())


def _pairs(verdicts: Iterable[tuple[bool | None, ...]]) -> tuple[int, int]:
    """Pairs of verdicts on the same answer that are equal, and all of them."""
    equal = [one == other for own in verdicts for one, other in _both(own)]
    return sum(equal), len(equal)


def _both(verdicts: Sequence[bool | None]) -> Iterator[tuple[bool, bool]]:
    yield from combinations([verdict for verdict in verdicts if verdict is not None], 2)
