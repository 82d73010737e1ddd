"""What a program finds wrong with a plan or a question, from one fixed list of reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "no intent",
    "answer not canonical",
    "answer in the intent",
    "not answerable, yet with an answer",
    "not answerable, yet with facts",
    "no facts",
    "fact id not unique",
    "fact without citation",
    "record not in the bundle",
    "quote not in the record",
    "evidence and citations differ",
    "evidence listed twice",
    "no contribution",
    "value not in its quotes",
    "no operations",
    "operation output not unique",
    "unknown input",
    "operations form a circle",
    "fact not used",
    "output not used",
    "operations do not end in the answer",
    "operation cannot be recomputed",
    "operation gives another value",
    "answer is not what the operations give",
    "no question",
    "question too long",
    "not a question",
    "record id in the question",
    "answer in the question",
    "question does not stand alone",
]
"""Why a plan or a question is not taken; counted as they stand here."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        reason: from a fixed list, for counting.
        detail: the case at hand, for people.
    """

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason
