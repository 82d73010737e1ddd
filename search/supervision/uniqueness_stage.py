"""Fourth stage of the verification: the rest of the history must not give another answer.

The records outside the bundle that are closest to the question are read by the same blind reader. For a question that
gathers (counts, sums, lists what is common) they stand beside the evidence; for any other they take the place of one
evidence record at a time, so that each of its steps could be answered differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from designsearch.runtime.records import History
from designsearch.search.metrics.typed import as_text, equal
from designsearch.search.supervision.blind_asks import blind_ask, readings
from designsearch.search.supervision.contracts import BlindAsk, Draft, Reader, Reading, Rejection, Source
from designsearch.search.supervision.history_search import HistorySearch
from designsearch.search.supervision.value_in_text import stands_in

GATHERING = frozenset({"count", "sum", "intersect", "filter"})
"""Operations whose value changes when there is one thing more."""


def unique(
    drafts: Sequence[Draft], reader: Reader, search: HistorySearch, outside: int
) -> list[Rejection | tuple[str, ...]]:
    """For each draft why its answer is not the only one, or the records outside the bundle that give the same.

    Args:
        drafts: the drafts.
        reader: reads what is found.
        search: over the whole history.
        outside: how many records are read for each.

    Raises:
        OutOfBudgetError, CannotContinueError: as the reader.
    """
    bundles = [frozenset(source.row for source in draft.material.sources) for draft in drafts]
    rows = search.closest([draft.question for draft in drafts], bundles, outside, as_of=[d.as_of for d in drafts])
    others = [[source_of(search.history, row) for row in found] for found in rows]
    asked = [(i, ask) for i, draft in enumerate(drafts) for ask in _asks(draft, others[i])]
    judged: list[Rejection | tuple[str, ...]] = [()] * len(drafts)
    for (i, ask), reading in zip(asked, readings([ask for _, ask in asked], reader), strict=True):
        before = judged[i]
        if isinstance(before, tuple):
            verdict = _judged(drafts[i], ask, reading)
            judged[i] = verdict if isinstance(verdict, Rejection) else tuple(dict.fromkeys((*before, *verdict)))
    return judged


def source_of(history: History, row: int) -> Source:
    """A record of the history as the roles see it."""
    return Source(
        record=history.ids[row],
        row=row,
        text=history.texts[row],
        time=history.time_texts[row],
        author=history.authors[row],
        role=history.roles[row],
    )


def _asks(draft: Draft, others: Sequence[Source]) -> Iterator[BlindAsk]:
    if not others:
        return
    evidence = [source for source in draft.material.sources if source.record in draft.plan.records]
    if not evidence or draft.plan.operations[-1].op in GATHERING:
        yield blind_ask(draft, [*evidence, *others], "outside")
        return
    for one in evidence:
        kept = [source for source in evidence if source is not one]
        yield blind_ask(draft, [*kept, *others], f"outside for {one.record}")


def _judged(draft: Draft, ask: BlindAsk, reading: Reading) -> Rejection | tuple[str, ...]:
    """A rejection, or the outside records that the same answer rests on."""
    plan = draft.plan
    if reading.failure:
        return Rejection("uniqueness", "no reading", reading.failure, failed=True)
    own = {source.record for source in draft.material.sources}
    cited = tuple(dict.fromkeys(record for record in reading.citations if record not in own))
    if not reading.answerable or not cited:
        return ()
    if not plan.answerable:
        return Rejection("uniqueness", "answered elsewhere", f"{as_text(reading.answer)} in {', '.join(cited)}")
    if equal(reading.answer, plan.answer, plan.answer_type):
        return cited
    if not _supported(draft, ask, reading):
        return ()
    return Rejection("uniqueness", "another answer elsewhere", f"{as_text(reading.answer)} in {', '.join(cited)}")


def _supported(draft: Draft, ask: BlindAsk, reading: Reading) -> bool:
    """Whether the other answer is more than a guess: what is looked up has to stand in a record that is cited."""
    if draft.plan.operations[-1].op not in {"lookup", "bridge"}:
        return True
    cited = [source for source in ask.sources if source.record in reading.citations]
    return stands_in(reading.answer, [(source.text, source.time) for source in cited])
