"""What one question gave under one design: a line of a results file, without the gold answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

from designsearch.runtime.records import ContextUnit

Metrics = Mapping[str, float | None]

MAIN_METRICS = ("accuracy", "evidence_coverage", "evidence_recall", "answer_recall")
"""The metrics of every headline, in order; what else was measured follows by name."""

OF_THE_CONTEXT = frozenset({"evidence_coverage", "evidence_recall", "answer_recall"})
"""The metrics that are measured on the context and do not apply to every question."""


OF_THE_ANSWER = ("answerer: ", "judge: ")
"""How an error begins that left the context, and what is measured on it, as it is."""


class Key(NamedTuple):
    """What identifies a question across histories."""

    history: str
    question_id: str

    def __str__(self) -> str:
        """As reports print it."""
        return f"{self.history}/{self.question_id}"


@dataclass(frozen=True, slots=True)
class EvidenceResult:
    """What became of one gold record.

    Attributes:
        record: the record's id.
        present: whether the final context holds it, verbatim and with provenance.
        lost_at: the stage that lost it; ``None`` where it was not lost or nobody asked.
        rank: its rank at that stage.
    """

    record: str
    present: bool
    lost_at: str | None = None
    rank: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; the optional keys only where they say something."""
        line: dict[str, Any] = {"record": self.record, "present": self.present}
        return line | {k: v for k, v in (("lost_at", self.lost_at), ("rank", self.rank)) if v is not None}


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One line of a results file. It never holds a gold answer.

    Attributes:
        design: name or hash of the design.
        question_id: the question's id, unique within its history's questions.
        history: name of the history.
        question: the question's words.
        type: the data set's own kind of question.
        context: the whole final text that the answerer read.
        context_tokens: its length.
        units: what the context shows.
        evidence: what became of each gold record.
        evidence_recall: share of gold records present; ``None`` where evidence is not measured.
        answer_recall: share of the gold answer's content in the context; ``None`` where not measured.
        answer_stated: whether the evidence says the whole gold answer. Where it does not, as with a count or a number
            of days, the answer is worked out, and stands in a context by chance.
        answer: the answer given, empty for an abstention; ``None`` where none was asked for or the answerer failed.
        abstained: whether the answer is an abstention.
        correct: whether the answer is right; ``None``: not measured.
        metrics: further measures by name, such as ``f1``; ``None``: should have been measured and was not.
        diagnosis: the kind of failure, where diagnosed.
        seconds: time from question to answer.
        calls: model calls made.
        cost: in US dollars.
        error: why something was not measured, where something failed; empty where nothing did. One of the answer
            begins with a text of ``OF_THE_ANSWER``.
        verdicts: what the judge said, once a repetition of it, ``None`` where that one failed; empty where typed
            equality decided, and where there is no judge.
        replicate: 0-based number of the repetition, for answerers that are not deterministic.
    """

    design: str
    question_id: str
    history: str
    question: str
    type: str = "uncategorised"
    context: str = ""
    context_tokens: int = 0
    units: tuple[ContextUnit, ...] = ()
    evidence: tuple[EvidenceResult, ...] = ()
    evidence_recall: float | None = None
    answer_recall: float | None = None
    answer_stated: bool = True
    answer: str | None = None
    abstained: bool = False
    correct: bool | None = None
    metrics: Metrics = field(default_factory=dict)
    diagnosis: str | None = None
    seconds: float = 0.0
    calls: int = 0
    cost: float = 0.0
    error: str = ""
    verdicts: tuple[bool | None, ...] = ()
    replicate: int = 0

    @property
    def key(self) -> Key:
        """What identifies the question."""
        return Key(self.history, self.question_id)

    @property
    def evidence_coverage(self) -> float | None:
        """1 where every gold record is present, else 0; ``None`` where evidence is not measured."""
        recall = finite(self.evidence_recall)
        return None if recall is None else float(recall >= 1)

    def value(self, metric: str) -> float | None:
        """The value of a metric; ``None`` where it was not measured, whether it applies or not."""
        if metric == "accuracy":
            return None if self.correct is None else float(self.correct)
        if metric == "evidence_coverage":
            return self.evidence_coverage
        return finite(getattr(self, metric) if metric in OF_THE_CONTEXT else self.metrics.get(metric))

    def applies(self, metric: str) -> bool:
        """Whether the metric should have a value here.

        Evidence does not apply to a question without any, answer recall not to a yes or no; where an error left no
        context their absence is a failure. Accuracy applies to every question.
        """
        early = bool(self.error) and not self.error.startswith(OF_THE_ANSWER)
        if metric in OF_THE_CONTEXT:
            return self.value(metric) is not None or (early and not self.context)
        return metric == "accuracy" or metric in self.metrics or early

    def to_json(self) -> dict[str, Any]:
        """Plain JSON without NaN: what is not finite becomes ``null``; what goes without saying is left out."""
        line: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        line["units"] = [
            {"id": u.id, "store": u.store, "records": list(u.records), "rank": u.rank, "score": finite(u.score)}
            for u in self.units
        ]
        line["evidence"] = [e.to_json() for e in self.evidence]
        line["verdicts"] = list(self.verdicts)
        if not self.verdicts:
            del line["verdicts"]
        if self.answer_stated:
            del line["answer_stated"]
        line["metrics"] = {name: finite(value) for name, value in self.metrics.items()}
        for name in ("evidence_recall", "answer_recall", "seconds", "cost"):
            line[name] = finite(line[name])
        return line

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> QuestionResult:
        """Read a line back; unknown keys are ignored, so that older and newer files can be read.

        Raises:
            KeyError: the line lacks one of design, question_id, history and question.
        """
        known = {name: line[name] for name in cls.__slots__ if line.get(name) is not None}
        for name in ("design", "question_id", "history", "question"):
            known[name] = line[name]
        known["units"] = tuple(
            ContextUnit(
                int(u["id"]),
                u.get("store", "main"),
                tuple(u["records"]),
                int(u["rank"]),
                float("nan") if u["score"] is None else float(u["score"]),
            )
            for u in line.get("units") or ()
        )
        known["evidence"] = tuple(
            EvidenceResult(e["record"], bool(e["present"]), e.get("lost_at"), e.get("rank"))
            for e in line.get("evidence") or ()
        )
        known["verdicts"] = tuple(line.get("verdicts") or ())
        return cls(**known)


def finite(value: float | None) -> float | None:
    """The number, or ``None`` for what is none (NaN and the infinities included)."""
    return value if value is not None and isfinite(value) else None
