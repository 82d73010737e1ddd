"""Verification of drafts: audit, blind recovery, necessity, uniqueness, in this order, each for all drafts at once.

What is left after a stage goes on to the next, so that a model is asked in few large batches and never about a question
that is lost already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from designsearch.search.supervision.contracts import Draft, Reader, Rejection, Reviewer
from designsearch.search.supervision.verification.audit_stage import audited
from designsearch.search.supervision.verification.history_search import HistorySearch
from designsearch.search.supervision.verification.necessity_stage import needed
from designsearch.search.supervision.verification.recovery_stage import recovered
from designsearch.search.supervision.verification.uniqueness_stage import unique
from designsearch.search.supervision.verification_settings import VerificationSettings, Verified

Stage = Callable[[list[Draft]], Sequence["Rejection | tuple[str, ...] | None"]]


def verify(
    drafts: Sequence[Draft],
    reviewer: Reviewer,
    reader: Reader,
    search: HistorySearch,
    settings: VerificationSettings,
) -> list[Verified | Rejection]:
    """What became of each draft, in order.

    Args:
        drafts: questions that passed the program's checks.
        reviewer: sees everything.
        reader: sees question and records alone.
        search: over the whole history.
        settings: which stages there are.

    Raises:
        OutOfBudgetError, CannotContinueError: as the roles.
    """
    run = _Run(drafts)
    run.stage(lambda left: audited(left, reviewer))
    extra = run.stage(lambda left: recovered(left, reader))
    if settings.necessity:
        run.stage(lambda left: needed(left, reader))
    also: dict[int, tuple[str, ...]] = {}
    if settings.uniqueness:
        also = run.stage(lambda left: unique(left, reader, search, settings))
    return [run.lost.get(i) or Verified(draft, extra.get(i, ()), also.get(i, ())) for i, draft in enumerate(drafts)]


class _Run:
    """Which drafts are still in, and why the others are not."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._drafts = drafts
        self._left = list(range(len(drafts)))
        self.lost: dict[int, Rejection] = {}

    def stage(self, judge: Stage) -> dict[int, tuple[str, ...]]:
        """Put all that are left through a stage; the records that it names, by draft."""
        found: dict[int, tuple[str, ...]] = {}
        for i, verdict in zip(self._left, judge([self._drafts[i] for i in self._left]), strict=True):
            if isinstance(verdict, Rejection):
                self.lost[i] = verdict
            elif verdict:
                found[i] = verdict
        self._left = [i for i in self._left if i not in self.lost]
        return found
