"""The plan of a question: which facts of which records support its answer, and how they are put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from designsearch.runtime.models.prompted import object_of
from designsearch.runtime.records import AnswerType, Value

Op = Literal["lookup", "bridge", "compare", "count", "sum", "difference", "sort", "filter", "intersect"]
How = Literal["", "first", "last", "most", "least"]

ANSWER = "answer"
"""What the last operation's output is called."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a fact stands.

    Attributes:
        record: the record's id.
        start, end: character positions in the record's text.
        quote: exactly ``text[start:end]``.
    """

    record: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the records say.

    Attributes:
        id: unique within the plan, as in ``f1``.
        statement: in a sentence.
        citations: where it stands, at least one.
        value: what the fact contributes to an operation (a number with its unit, an ISO date, a name, a list); ``None``
            where operations need none of it.
        about: what the value is of, in a few words, as an operation that compares or sorts names it.
    """

    id: str
    statement: str
    citations: tuple[Citation, ...]
    value: Value = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Contribution:
    """A record that the answer rests on, and what it gives to it in a sentence."""

    record: str
    contribution: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One step from facts to the answer.

    ============ ============================================================ ======================================
    op           inputs                                                       value
    ============ ============================================================ ======================================
    lookup       one fact or output                                           its value
    bridge       facts that share a name or word, the asked one last          the value of the last
    compare      two or more, with ``how``                                    ``about`` of the one that wins
    count        what is counted                                              their number
    sum          numbers of one unit                                          the sum, in that unit
    difference   two numbers of one unit, or two dates                        their distance, in that unit or in days
    sort         two or more, with ``how`` (first: ascending)                 the list of their ``about``, in order
    filter       facts; those kept are the ones whose value is in the result  a list of values, in order of the inputs
    intersect    facts whose values are lists                                 the list of what all of them hold
    ============ ============================================================ ======================================

    Attributes:
        op: what is done.
        inputs: ids of facts, or outputs of other operations.
        output: a name of its own; the last operation's is ``answer``.
        value: what comes out, as the plan says; whatever can be recomputed is.
        how: which one wins, or the direction.
    """

    op: Op
    inputs: tuple[str, ...]
    output: str
    value: Value = None
    how: How = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question will ask, why its answer is right, and on which records it rests.

    Attributes:
        intent: what is asked, in a sentence that does not hold the answer.
        answer_type: how the answer is normalised before it is compared.
        answer: canonical for its type; ``None`` where the question is not answerable.
        facts: cited facts.
        evidence: exactly the records that the facts cite.
        operations: a directed acyclic graph from the facts to ``answer``.
        kind: the kind of question, for breakdowns: ``lookup``, ``bridge``, ``count``, ...
        answerable: False where the history does not say; such a plan has no facts, evidence or operations.
    """

    intent: str
    answer_type: AnswerType
    answer: Value
    facts: tuple[Fact, ...] = ()
    evidence: tuple[Contribution, ...] = ()
    operations: tuple[Operation, ...] = ()
    kind: str = "lookup"
    answerable: bool = True

    @property
    def records(self) -> tuple[str, ...]:
        """Ids of the evidence records."""
        return tuple(one.record for one in self.evidence)

    def as_json(self) -> dict[str, Any]:
        """Plain values, as they are written to files."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Plan:
        """The inverse of :meth:`as_json`; values are taken as a reply checked against :data:`PLAN_SCHEMA` has them.

        Raises:
            KeyError, TypeError, ValueError: something is missing or of another shape.
        """
        facts = tuple(
            Fact(
                f["id"],
                f["statement"],
                tuple(Citation(**c) for c in f["citations"]),
                _value(f.get("value")),
                f["about"],
            )
            for f in value["facts"]
        )
        operations = tuple(
            Operation(o["op"], tuple(o["inputs"]), o["output"], _value(o.get("value")), o.get("how", ""))
            for o in value["operations"]
        )
        return cls(
            intent=value["intent"],
            answer_type=value["answer_type"],
            answer=_value(value.get("answer")),
            facts=facts,
            evidence=tuple(Contribution(**e) for e in value["evidence"]),
            operations=operations,
            kind=value.get("kind") or (operations[-1].op if operations else "lookup"),
            answerable=value.get("answerable", True),
        )


def _value(value: Any) -> Value:
    """A JSON value as an answer holds it."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return [one if isinstance(one, str) else str(one) for one in value]
    raise TypeError(f"no value of a plan: {type(value).__name__}")


_TEXT = {"type": "string"}
_VALUE = {
    "anyOf": [_TEXT, {"type": "number"}, {"type": "boolean"}, {"type": "array", "items": _TEXT}, {"type": "null"}]
}

PLAN_SCHEMA = object_of(
    intent=_TEXT,
    facts={
        "type": "array",
        "items": object_of(
            id=_TEXT,
            statement=_TEXT,
            citations={"type": "array", "items": object_of(record={"type": "integer"}, quote=_TEXT)},
            value=_VALUE,
            about=_TEXT,
        ),
    },
    evidence={"type": "array", "items": object_of(record={"type": "integer"}, contribution=_TEXT)},
    operations={
        "type": "array",
        "items": object_of(
            op={"type": "string", "enum": list(get_args(Op))},
            inputs={"type": "array", "items": _TEXT},
            output=_TEXT,
            value=_VALUE,
            how={"type": "string", "enum": list(get_args(How))},
        ),
    },
    answer_type={"type": "string", "enum": list(get_args(AnswerType))},
    answer=_VALUE,
)
"""What a model is asked for. It names records by the numbers they have in its prompt and quotes them; where a quote
stands is found by the program (a model cannot count characters), and one that does not stand there is a fault."""
