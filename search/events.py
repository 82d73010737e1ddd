"""What a study has to say while it runs; the command line decides how it looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["note", "models", "start", "trial", "stop", "claim"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing said.

    Attributes:
        kind: ``note`` (repairs, resumption), ``models`` (who gets which text), ``start`` (what is about to run),
            ``trial`` (one finished proposal), ``stop`` (why it ended), ``claim`` (the locked questions).
        text: for people; one line, or several for a claim.
        data: the same as plain values.
    """

    kind: Kind
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


Listen = Callable[[Event], None]


def silent(_: Event) -> None:
    """Listen to nothing."""
