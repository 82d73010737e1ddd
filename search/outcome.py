"""How a study ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.models.books.meter import CapReachedError
from designsearch.search.books import Books
from designsearch.search.claim import Claim
from designsearch.search.costs import Costs

KEPT = "all that was measured is kept"
"""What a study that stopped may be told of."""

GO_ON = "designsearch run goes on from there"
"""What may be hoped for where a study could not continue."""

RESUMABLE = f"{KEPT}, and {GO_ON}"
"""Both, behind the reason why it could not."""

EXHAUSTED = "exhausted"
"""Why a study ended whose proposer had nothing left to propose."""

QUOTA = "quota"
"""Why a study ended where a server would take no further calls."""

EXIT_CODES = {"minutes": 3, "usd": 3, "llm_calls": 3, QUOTA: 3}
"""Exit status where a study ended by a cap on time, money or calls."""

PERFECT = (
    "the incumbent is right on every validation question that could be measured; "
    "a lower context_budget or harder questions leave something to gain"
)
"""Why a study ends where nothing is left to gain, and what to do about it."""

BARREN = 20
"""Proposals in a row that could not be scored after which a study stops."""

NOTHING_MEASURED = 4
"""Exit status where no revision could be scored."""


def ended(books: Books) -> tuple[str, str] | None:
    """What forbids a study another trial: its name and a sentence; ``None`` where nothing does."""
    if books.incumbent.value >= 1:
        return "perfect", PERFECT
    if books.barren >= BARREN:
        return "barren", f"the last {books.barren} proposals could not be scored ({books.attempts[-1].decision})"
    return books.account.reached()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a study ended.

    Attributes:
        reason: the cap reached, ``exhausted`` (nothing left to propose), ``barren`` (nothing can be scored),
            ``perfect`` (nothing left to gain), ``quota`` (the server takes no further calls) or ``replayed``.
        text: the same in a sentence.
        scored, accepted, interrupted: number of trials.
        base, best: validation scores.
        best_hash: identity of the best design.
        claim: what the locked questions say; ``None`` where there are none, or nothing was accepted.
        exit_code: of the command that ran it.
        costs: what models took over all runs, role by role.
    """

    reason: str
    text: str
    scored: int
    accepted: int
    interrupted: int
    base: float
    best: float
    best_hash: str
    claim: Claim | None
    exit_code: int
    costs: Costs = field(default_factory=dict)


def cap_of(error: OutOfBudgetError) -> str:
    """The name of the cap that an error is about: one of the study's, else the server's own."""
    return error.cap if isinstance(error, CapReachedError) else QUOTA
