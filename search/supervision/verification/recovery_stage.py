"""Second stage of the verification: a reader that knows neither plan nor answer has to find both again."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.search.metrics.typed import as_text, equal
from designsearch.search.supervision.contracts import Draft, Reader, Reading, Rejection
from designsearch.search.supervision.verification.blind_asks import blind_ask, readings


def recovered(drafts: Sequence[Draft], reader: Reader) -> list[Rejection | tuple[str, ...]]:
    """For each draft why it was not recovered, or the records cited beside the evidence.

    It is recovered where the reader calls it answerable, gives an answer equal to the reference after normalisation by
    type, and cites every evidence record. A question without an answer is recovered where the reader calls it that.

    Raises:
        OutOfBudgetError, CannotContinueError: as the reader.
    """
    asks = [blind_ask(draft, draft.material.sources, "recovery") for draft in drafts]
    return [_judged(draft, reading) for draft, reading in zip(drafts, readings(asks, reader), strict=True)]


def _judged(draft: Draft, reading: Reading) -> Rejection | tuple[str, ...]:
    plan = draft.plan
    if reading.failure:
        return Rejection("recovery", "no reading", reading.failure, failed=True)
    if not plan.answerable:
        if reading.answerable:
            return Rejection("recovery", "answered, though not answerable", as_text(reading.answer))
        return ()
    if not reading.answerable:
        return Rejection("recovery", "not answered")
    if not equal(reading.answer, plan.answer, plan.answer_type):
        return Rejection("recovery", "another answer", f"{as_text(reading.answer)} for {as_text(plan.answer)}")
    missing = [record for record in plan.records if record not in reading.citations]
    if missing:
        return Rejection("recovery", "evidence not cited", ", ".join(missing))
    return tuple(dict.fromkeys(record for record in reading.citations if record not in plan.records))
