"""The judge: a model that says whether an answer means the same as the gold answer, where typed equality cannot say.

A judge that fails, or whose repetitions are tied, has not measured anything: that is never counted as wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designsearch.prompts.load import prompt
from designsearch.runtime.models.base import Model
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply, Request
from designsearch.runtime.records import Question
from designsearch.search.metrics.typed import as_text

PROMPT = "judge/judge"

SCHEMA = object_of(reason={"type": "string"}, verdict={"type": "string", "enum": ["correct", "incorrect"]})
"""The reason stands first, so that a model that writes in order has thought before it says the verdict."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one answer.

    Attributes:
        verdicts: right or wrong, one a repetition; ``None`` where that one failed.
        failure: why the first one that failed did; empty where none did.
        reason: the judge's own words, of the first verdict.
    """

    verdicts: tuple[bool | None, ...]
    failure: str = ""
    reason: str = ""

    @property
    def correct(self) -> bool | None:
        """What most repetitions say; ``None``, not measured, where they are tied or all failed."""
        return majority(self.verdicts)

    @property
    def error(self) -> str:
        """Why nothing was measured; empty where something was."""
        if self.correct is not None:
            return ""
        votes = [verdict for verdict in self.verdicts if verdict is not None]
        tie = f"{sum(votes)} of {len(votes)} verdicts say that the answer is right"
        return f"judge: {tie if votes else self.failure}"


class Judge:
    """Judges answers.

    Args:
        model: who judges.
        replicates: times that each answer is judged; the majority counts.
    """

    def __init__(self, model: Model, replicates: int = 1) -> None:
        self._model = model
        self.replicates = replicates

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def fingerprint(self) -> str:
        """Of all that a judgement depends on beside question and answer."""
        return f"{self._model.fingerprint} {prompt(PROMPT).identity} x{self.replicates}"

    def judge_all(self, answers: Sequence[tuple[Question, str]]) -> list[Judgement]:
        """One judgement an answer, in order; all of them are asked for together.

        Args:
            answers: answerable questions with a gold answer, each with the answer to judge.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
        """
        if not answers:
            return []
        times = self.replicates
        replies = self._model.complete([_request(*one, r) for one in answers for r in range(times)])
        return [_judgement(replies[at : at + times]) for at in range(0, len(replies), times)]


def make_judge(model: Model | None, replicates: int = 1) -> Judge | None:
    """The judge where a model was named for it; ``None`` where none was, which leaves open what rules cannot decide."""
    return None if model is None else Judge(model, replicates)


def majority(verdicts: Sequence[bool | None]) -> bool | None:
    """What most say; ``None`` where they are tied or nobody says anything."""
    votes = [verdict for verdict in verdicts if verdict is not None]
    right = sum(votes)
    return None if 2 * right == len(votes) else 2 * right > len(votes)


def golds_of(question: Question) -> list[str]:
    """The gold answers in words; empty where there is none to compare with."""
    return [text for gold in (question.answer, *question.alternatives) if (text := as_text(gold).strip())]


def _request(question: Question, answer: str, replicate: int) -> Request:
    golds = golds_of(question)
    return prompted(PROMPT, SCHEMA, replicate=replicate, question=question.question, golds=golds, answer=answer)


def _judgement(replies: Sequence[Reply]) -> Judgement:
    good = [reply for reply in replies if reply.ok]
    failed = next((reply.why for reply in replies if not reply.ok), "")
    return Judgement(
        verdicts=tuple(reply.value["verdict"] == "correct" if reply.ok else None for reply in replies),
        failure=failed,
        reason=good[0].value["reason"] if good else "",
    )
