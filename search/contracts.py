"""What a study needs from whoever evaluates designs, and what a diagnosis says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from designsearch.dsl.design import Design
from designsearch.search.results import Key, QuestionResult

Part = Literal["train", "validation", "confirm", "locked"]
"""A share of a study's questions: failures are diagnosed on ``train``, revisions judged on ``validation``, confirmed
on ``confirm``; ``locked`` is looked at once, at the end."""

PARTS: tuple[Part, ...] = ("train", "validation", "confirm", "locked")

Category = Literal["answering", "storage", "retrieval"]
"""The part of a design that a failure is blamed on."""


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """What became of one gold record of a question that failed.

    Attributes:
        record: its id.
        text: its text, or the quoted part of it.
        role: who speaks: ``user``, ``assistant``, empty where the source does not say.
        source: where it is from: ``conversation``, ``email``, ...
        present: whether the final context holds it.
        kind: how it was lost: ``not_stored``, ``not_retrieved``, ``stopped_early``, ``not_kept``, ``cut``, ``altered``;
            empty where it was not.
        lost_at: the stage that lost it, as in ``retrieval[1]``, ``retrieval[0].extract``, ``context``, or
            ``retrieval[0].branches.talk[0].stop`` for a policy inside another stage.
        rank: its best rank before it was lost, 1-based.
    """

    record: str
    text: str
    role: str = ""
    source: str = ""
    present: bool = False
    kind: str = ""
    lost_at: str = ""
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """One question that a design failed, and why.

    Attributes:
        question_id: the question's id within its history.
        history: the history's name.
        question: its words.
        gold: the gold answer in words.
        category: the part of the design that is to blame.
        kind: how evidence was lost, as of a record; empty for answering.
        lost_at: the stage that lost the first missing record.
        rank: that record's rank before it was lost.
        evidence: all gold records.
        answer: the answer given; ``None`` where none was asked for.
        type: the data set's own kind of question.
        context_tokens: length of the final context.
        context_roles: share of the shown text by the role of its records; an empty role where there is none.
    """

    question_id: str
    history: str
    question: str
    gold: str
    category: Category
    kind: str = ""
    lost_at: str = ""
    rank: int | None = None
    evidence: tuple[GoldRecord, ...] = ()
    answer: str | None = None
    type: str = "uncategorised"
    context_tokens: int = 0
    context_roles: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What identifies the question."""
        return Key(self.history, self.question_id)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self) | {"context_roles": dict(self.context_roles)}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Failure:
        """Read a failure back; unknown keys are ignored.

        Raises:
            KeyError: a required key is missing.
        """
        known: dict[str, Any] = {name: line[name] for name in cls.__slots__ if name in line}
        for name in ("question_id", "history", "question", "gold", "category"):
            known[name] = line[name]
        known["evidence"] = tuple(GoldRecord(**one) for one in line.get("evidence", ()))
        return cls(**known)


class Evaluator(Protocol):
    """Runs designs on the questions of a study.

    Attributes:
        fingerprints: what makes results comparable, by name (``history``, ``questions``, ``models``, ``counter``); a
            study is resumed only when all of them are as they were.
    """

    fingerprints: Mapping[str, str]

    def evaluate(self, design: Design, part: Part) -> list[QuestionResult]:
        """The results of every question of a part, the same each time for the same design.

        Raises:
            UserError: the design cannot be run.
        """
        ...

    def diagnose(self, design: Design, part: Part) -> Sequence[Failure]:
        """The failures of a part, in the order of its questions."""
        ...
