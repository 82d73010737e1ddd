"""What a question has to pass beside the program's checks."""

from __future__ import annotations

from dataclasses import dataclass

from designsearch.search.supervision.contracts import Draft


@dataclass(frozen=True, slots=True)
class VerificationSettings:
    """Switches of the verification.

    Attributes:
        necessity: whether the reader must fail without any one of the evidence records.
        uniqueness: whether the rest of the history is searched for another answer.
        outside: how many records outside the bundle are read for that.
        alone: how many of the closest of them are also read one by one; a model costs that much more.
    """

    necessity: bool = True
    uniqueness: bool = True
    outside: int = 10
    alone: int = 3


@dataclass(frozen=True, slots=True)
class Verified:
    """A question that passed everything.

    Attributes:
        draft: the question with its plan and bundle.
        extra_citations: records of the bundle that the blind reader cited beside the evidence.
        also_in: records outside the bundle that give the same answer.
    """

    draft: Draft
    extra_citations: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()
