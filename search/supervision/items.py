"""What became of one bundle: a line of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from designsearch.runtime.histories.gold import content_id
from designsearch.runtime.histories.writing import question_row
from designsearch.runtime.records import Evidence, Question
from designsearch.search.supervision.contracts import Draft, Material, Rejection
from designsearch.search.supervision.verification_settings import Verified

Outcome = Literal["kept", "spare", "rejected"]
"""``spare``: good, but of a kind or a month that there is enough of; taken at the end where questions are lacking."""

UNANSWERABLE = "unanswerable"


@dataclass(frozen=True)
class Item:
    """What became of one bundle.

    Attributes:
        part: the part of the history.
        ordinal: of the bundle in its part.
        outcome: what became of it.
        records: ids of the bundle's records.
        path: how they are connected.
        lost: where and why it was lost; ``None`` where it was not.
        question: as it is asked; ``None`` where it never came to one.
        plan: as plain values, with the quotes that it cites; ``None`` where there is none.
        notes: how it was verified, as plain values.
    """

    part: str
    ordinal: int
    outcome: Outcome
    records: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    lost: Rejection | None = None
    question: Question | None = None
    plan: Mapping[str, Any] | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)

    def decided(self, verdict: Rejection | str) -> Item:
        """The item after the selection: ``kept``, ``spare``, or lost."""
        if isinstance(verdict, Rejection):
            return replace(self, outcome="rejected", lost=verdict)
        return replace(self, outcome="kept" if verdict == "kept" else "spare")

    def to_json(self) -> dict[str, Any]:
        """Plain values; what there is none of is left out."""
        line: dict[str, Any] = {"part": self.part, "ordinal": self.ordinal, "outcome": self.outcome}
        if self.lost is not None:
            line |= {"stage": self.lost.stage, "reason": self.lost.reason, "detail": self.lost.detail}
            line |= {"failed": True} if self.lost.failed else {}
        line |= {"records": list(self.records), "path": list(self.path)}
        line |= {"question": question_row(self.question)} if self.question is not None else {}
        line |= {"plan": self.plan} if self.plan is not None else {}
        return line | {key: list(value) for key, value in self.notes.items() if value}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Item:
        """The inverse of :meth:`to_json`.

        Raises:
            KeyError, TypeError: it is no such line.
        """
        lost = None
        if "stage" in line:
            lost = Rejection(line["stage"], line["reason"], line["detail"], line.get("failed", False))
        row = line.get("question")
        return cls(
            line["part"],
            line["ordinal"],
            line["outcome"],
            tuple(line["records"]),
            tuple(line["path"]),
            lost,
            None if row is None else _question(row),
            line.get("plan"),
            {key: tuple(line[key]) for key in _NOTES if key in line},
        )


_NOTES = ("extra_citations", "also_in")


def lost(part: str, material: Material, why: Rejection, draft: Draft | None = None) -> Item:
    """A bundle that nothing became of, with the draft where there was one."""
    question = question_of(draft, part) if draft is not None else None
    plan = draft.plan.as_json() if draft is not None else None
    return Item(part, material.ordinal, "rejected", _ids(material), material.path, why, question, plan)


def made(part: str, found: Verified) -> Item:
    """A question that passed; whether it is taken is for the selection to say."""
    draft = found.draft
    notes = {"extra_citations": found.extra_citations, "also_in": found.also_in}
    return Item(
        part,
        draft.material.ordinal,
        "kept",
        _ids(draft.material),
        draft.material.path,
        None,
        question_of(draft, part),
        draft.plan.as_json(),
        notes,
    )


def question_of(draft: Draft, part: str) -> Question:
    """The question as it is written to files, its id keyed by what it says and by its part.

    Its evidence is whole records, as that of official questions: the spans that the plan cites are often a single
    word, which any context would show that has the record at all, so that a design would get off more lightly.
    """
    plan = draft.plan
    answer = plan.answer if plan.answerable else None
    return Question(
        id=content_id(part, draft.question, answer, draft.as_of),
        question=draft.question,
        answer=answer,
        answer_type=plan.answer_type if plan.answerable else "text",
        type=plan.kind if plan.answerable else UNANSWERABLE,
        as_of=draft.as_of,
        answerable=plan.answerable,
        evidence=tuple(Evidence(record) for record in plan.records),
    )


def _ids(material: Material) -> tuple[str, ...]:
    return tuple(source.record for source in material.sources)


def _question(row: Mapping[str, Any]) -> Question:
    return Question(
        id=row["id"],
        question=row["question"],
        answer=row.get("answer"),
        answer_type=row.get("answer_type", "text"),
        type=row["type"],
        as_of=row.get("as_of"),
        answerable=row.get("answerable", True),
        evidence=tuple(Evidence(one["record"]) for one in row["evidence"]),
    )
