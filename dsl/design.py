"""The validated design: frozen, with a canonical form and a hash.

The canonical form fills in every default, writes the flat form as one store called ``main`` and drops what changes no
result (``name``, ``about``, ``notes`` and keys that begin with ``x-``). Its hash is the design's identity, and each
prefix of the pipeline has one, so that what was computed up to a stage is found again by whoever shares that prefix.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from designsearch.dsl.operators import Cascade, Stage

Order = Literal["relevance", "chronological", "edges"]
Fill = Literal["skip", "stop"]
Unsupported = Literal["abstain", "keep"]
GroupBy = Literal["session", "day", "source", "author"]

MAIN = "main"
"""Name of the one store of a flat design."""

RAW = "raw"
"""Name of the view that every store has: the unit's own text."""


@dataclass(frozen=True, slots=True)
class StorePlan:
    """One named store: what one memory is, and the further texts it is searched by."""

    name: str
    units: Stage
    views: dict[str, Stage] = field(default_factory=dict)
    write: Stage | None = None
    source: str | None = None

    def canonical(self) -> dict[str, Any]:
        """Plain JSON, defaults filled in."""
        return {
            "units": self.units.canonical(),
            "views": {name: stage.canonical() for name, stage in sorted(self.views.items())},
            "write": self.write.canonical() if self.write else {"op": "append"},
            "from": self.source,
        }


@dataclass(frozen=True, slots=True)
class Section:
    """One budgeted part of a context: the chosen units of one store, or of all."""

    item: str
    source: str | None = None
    share: float = 1.0
    header: str = ""
    footer: str = ""
    group: str = ""
    group_by: GroupBy | None = None
    order: Order = "relevance"
    separator: str = "\n"
    max_units: int | None = None
    fill: Fill = "skip"

    def canonical(self) -> dict[str, Any]:
        """Plain JSON, defaults filled in."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class ContextPlan:
    """How the answer's context is built: one section, or several that share the budget.

    ``header`` and ``footer`` stand around all sections. A design without ``sections`` has exactly one.
    """

    sections: tuple[Section, ...]
    header: str = ""
    footer: str = ""

    def canonical(self) -> dict[str, Any]:
        """Plain JSON, defaults filled in."""
        return {
            "header": self.header,
            "footer": self.footer,
            "sections": [section.canonical() for section in self.sections],
        }


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """How a draft of the answer is checked against the context before it is given.

    Attributes:
        rounds: times that a draft may be sent back.
        unsupported: what becomes of a draft that the context never came to support.
    """

    rounds: int = 1
    unsupported: Unsupported = "abstain"

    def canonical(self) -> dict[str, Any]:
        """Plain JSON, defaults filled in."""
        return {"rounds": self.rounds, "unsupported": self.unsupported}


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """Limits on the answer, and whether it is checked."""

    max_output_tokens: int | None = None
    check: CheckPlan | None = None

    def canonical(self) -> dict[str, Any]:
        """Plain JSON, defaults filled in; a check that is not there leaves no trace."""
        limits = {"max_output_tokens": self.max_output_tokens}
        return limits if self.check is None else limits | {"check": self.check.canonical()}


@dataclass(frozen=True, slots=True)
class Design:
    """A validated design.

    Attributes:
        name: the design's own name (cosmetic).
        about: one paragraph for people (cosmetic).
        stores: the stores by name, in the order written.
        retrieval: the cascade.
        context: how the context is built.
        answer: limits on the answer.
        text: the YAML source it was read from.
        file: where it was read from, for messages.
        base_dir: the folder that paths inside the design are relative to; ``None`` means the working folder.
    """

    name: str
    about: str
    stores: dict[str, StorePlan]
    retrieval: Cascade
    context: ContextPlan
    answer: AnswerPlan
    text: str = field(repr=False, compare=False)
    file: str = field(default="<design>", compare=False)
    base_dir: Path | None = field(default=None, compare=False)

    def canonical(self) -> dict[str, Any]:
        """The canonical form as plain JSON."""
        return {
            "version": 1,
            "storage": {name: store.canonical() for name, store in sorted(self.stores.items())},
            "retrieval": [stage.canonical() for stage in self.retrieval],
            "context": self.context.canonical(),
            "answer": self.answer.canonical(),
        }

    @property
    def hash(self) -> str:
        """The identity of the design: 16 hexadecimal digits of the SHA-256 of its canonical form."""
        return digest(self.canonical())

    def prefix_hash(self, stages: int) -> str:
        """The identity of the pipeline up to and including its first ``stages`` stages of retrieval."""
        canonical = self.canonical()
        return digest([canonical["storage"], canonical["retrieval"][:stages]])


def digest(value: Any) -> str:
    """16 hexadecimal digits of the SHA-256 of a plain JSON value with sorted keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
