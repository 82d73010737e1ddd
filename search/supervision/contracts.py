"""What passes between the steps that make questions out of a history, and who plays which part.

history -> graph -> bundle -> :class:`Material` -> (generator) -> :class:`Draft` -> (verification) -> kept or
:class:`Rejection`. Every role takes a whole batch and answers in its order, so that models are asked together; every
role has a version by rules (``offline``) and one that asks a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from designsearch.runtime.records import AnswerType, Value
from designsearch.search.supervision.plans import Plan

Stage = Literal["plan", "check", "question", "audit", "recovery", "necessity", "uniqueness", "selection"]
"""Where a question can be lost, in the order in which it passes."""


@dataclass(frozen=True, slots=True)
class Source:
    """A record as the roles see it.

    Attributes:
        record: its id; never shown to a model, which knows it by its number.
        row: its row in the history.
        text: untouched.
        time: ISO 8601 as the source gives it; empty where unknown.
        author, role: who says it; empty where unknown.
    """

    record: str
    row: int
    text: str
    time: str = ""
    author: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """A bundle of connected records, for one question.

    Attributes:
        ordinal: of the bundle; all chance in making this question depends on it and the seed.
        sources: the records in the order of the walk.
        path: how they are connected, one line a step.
        seed: seed of this item's own chance.
    """

    ordinal: int
    sources: tuple[Source, ...]
    path: tuple[str, ...]
    seed: int

    def source(self, record: str) -> Source:
        """The source with that id.

        Raises:
            KeyError: it is not in the bundle.
        """
        for one in self.sources:
            if one.record == record:
                return one
        raise KeyError(record)


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why nothing became of a bundle.

    Attributes:
        stage: where it was lost.
        reason: one of a few fixed phrases, for counting.
        detail: the case at hand, for people.
        failed: True where a role failed (no reply, no usable JSON): nothing was found out about the question.
    """

    stage: Stage
    reason: str
    detail: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A question that passed the program's checks and awaits verification.

    Attributes:
        material: the bundle.
        plan: what it asks, and why the answer is right.
        question: the words; standalone, without ids.
        as_of: ISO 8601 time of asking; ``None`` where the history has no times.
    """

    material: Material
    plan: Plan
    question: str
    as_of: str | None = None


class Generator(Protocol):
    """Makes drafts out of bundles.

    Attributes:
        name: as ``--generator`` names it.
        fingerprint: stands for all that a draft depends on beside the material.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    def draft(self, materials: Sequence[Material]) -> list[Draft | Rejection]:
        """One draft, or the reason why there is none, for each bundle; in order.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`~designsearch.runtime.models.base.Model.complete`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Audit:
    """What a reviewer says of a draft, with everything in view.

    Attributes:
        answer_supported: the evidence supports the answer.
        question_matches: the question asks what the plan says, and stands alone.
        facts: for each fact of the plan, by id, whether its sources say it.
        evidence: for each evidence record, by id, whether it contributes.
        reason: in a sentence.
        failure: why nothing was found out; empty where something was.
    """

    answer_supported: bool = False
    question_matches: bool = False
    facts: Mapping[str, bool] = field(default_factory=dict)
    evidence: Mapping[str, bool] = field(default_factory=dict)
    reason: str = ""
    failure: str = ""


class Reviewer(Protocol):
    """Audits drafts; see :class:`Audit`."""

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    def audit(self, drafts: Sequence[Draft]) -> list[Audit]:
        """One audit a draft, in order.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`~designsearch.runtime.models.base.Model.complete`.
        """
        ...


@dataclass(frozen=True, slots=True)
class BlindAsk:
    """What a blind reader gets: never plan, answer, or which records are the evidence.

    Attributes:
        question: the words.
        answer_type: what kind of answer is wanted.
        sources: records in an order by chance.
        as_of: ISO 8601 time of asking.
    """

    question: str
    answer_type: AnswerType
    sources: tuple[Source, ...]
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a blind reader makes of a question.

    Attributes:
        answerable: whether the records answer it.
        answer: in the type asked for; ``None`` where they do not.
        citations: ids of the records that the answer rests on.
        failure: why nothing was found out; empty where something was.
    """

    answerable: bool = False
    answer: Value = None
    citations: tuple[str, ...] = ()
    failure: str = ""


class Reader(Protocol):
    """Answers from records alone; see :class:`BlindAsk`."""

    @property
    def fingerprint(self) -> str: ...  # noqa: D102

    def read(self, asks: Sequence[BlindAsk]) -> list[Reading]:
        """One reading a question, in order.

        Raises:
            OutOfBudgetError, CannotContinueError: as :meth:`~designsearch.runtime.models.base.Model.complete`.
        """
        ...
