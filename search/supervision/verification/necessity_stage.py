"""Third stage of the verification: without any one of its evidence records a question must not be answerable."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.metrics.typed import as_text, equal
from designsearch.search.supervision.contracts import Draft, Reader, Reading, Rejection
from designsearch.search.supervision.verification.blind_asks import blind_ask, readings


def needed(drafts: Sequence[Draft], reader: Reader) -> list[Rejection | None]:
    """For each draft why one of its records is not needed; ``None`` where all are.

    The reader sees the rest of the bundle. It fails where it calls the question not answerable or gives another answer.

    Raises:
        OutOfBudgetError, CannotContinueError: as the reader.
    """
    removed = [(i, record) for i, draft in enumerate(drafts) for record in draft.plan.records]
    asks = [
        blind_ask(drafts[i], [s for s in drafts[i].material.sources if s.record != record], f"without {record}")
        for i, record in removed
    ]
    found: list[Rejection | None] = [None] * len(drafts)
    for (i, record), reading in zip(removed, readings(asks, reader), strict=True):
        found[i] = found[i] or _unneeded(drafts[i], record, reading)
    return found


def _unneeded(draft: Draft, record: str, reading: Reading) -> Rejection | None:
    if reading.failure:
        return Rejection("necessity", "no reading", reading.failure, failed=True)
    if reading.answerable and equal(reading.answer, draft.plan.answer, draft.plan.answer_type):
        detail = f"{record} left out, still {as_text(reading.answer)}"
        return Rejection("necessity", "evidence not needed", detail)
    return None
