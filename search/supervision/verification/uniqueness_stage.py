"""Fourth stage of the verification: the rest of the history must not give another answer.

The records outside the bundle that are closest to the question are read by the same blind reader. For a question that
gathers (counts, sums, lists what is common) they stand beside the evidence; for any other they take the place of one
evidence record at a time, so that each of its steps could be answered differently. The closest ones are also read one
by one: where several others give different answers, a reader of all together calls the question not answerable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from designsearch.search.metrics.typed import as_text, equal
from designsearch.search.supervision.checks.value_in_text import stands_in
from designsearch.search.supervision.contracts import BlindAsk, Draft, Reader, Reading, Rejection, Source
from designsearch.search.supervision.materials import source_of
from designsearch.search.supervision.verification.blind_asks import blind_ask, readings
from designsearch.search.supervision.verification.history_search import HistorySearch
from designsearch.search.supervision.verification_settings import VerificationSettings

GATHERING = frozenset({"count", "sum", "intersect", "filter"})
"""Operations whose value changes when there is one thing more."""


MOST_FACTS = 4
"""Facts of a plan that are searched for."""


def unique(
    drafts: Sequence[Draft], reader: Reader, search: HistorySearch, settings: VerificationSettings
) -> list[Rejection | tuple[str, ...]]:
    """For each draft why its answer is not the only one, or the records outside the bundle that give the same.

    Args:
        drafts: the drafts.
        reader: reads what is found.
        search: over the whole history.
        settings: how many records are read for each draft.

    Raises:
        OutOfBudgetError, CannotContinueError: as the reader.
    """
    others = _others(drafts, search, settings.outside)
    asked = [(i, ask) for i, draft in enumerate(drafts) for ask in _asks(draft, others[i], settings.alone)]
    judged: list[Rejection | tuple[str, ...]] = [()] * len(drafts)
    for (i, ask), reading in zip(asked, readings([ask for _, ask in asked], reader), strict=True):
        before = judged[i]
        if isinstance(before, tuple):
            verdict = _judged(drafts[i], ask, reading)
            judged[i] = verdict if isinstance(verdict, Rejection) else tuple(dict.fromkeys((*before, *verdict)))
    return judged


def _others(drafts: Sequence[Draft], search: HistorySearch, outside: int) -> list[list[Source]]:
    """For each draft the records outside its bundle that are closest to its question, or to one of its facts.

    What only the second step of a question needs is close to that fact and not to the question, which does not name it.
    """
    texts = [(i, text) for i, draft in enumerate(drafts) for text in _sought(draft)]
    bundles = [frozenset(source.row for source in draft.material.sources) for draft in drafts]
    rows = search.closest(
        [text for _, text in texts], [bundles[i] for i, _ in texts], outside, as_of=[drafts[i].as_of for i, _ in texts]
    )
    ranked: list[list[list[int]]] = [[] for _ in drafts]
    for (i, _), found in zip(texts, rows, strict=True):
        ranked[i].append(found)
    # the best of each search before the second of any
    merged = [dict.fromkeys(row for tier in zip_longest(*own) for row in tier if row is not None) for own in ranked]
    return [[source_of(search.history, row) for row in list(found)[:outside]] for found in merged]


def _sought(draft: Draft) -> list[str]:
    return [draft.question, *(fact.statement for fact in draft.plan.facts[:MOST_FACTS])]


def _asks(draft: Draft, others: Sequence[Source], alone: int) -> Iterator[BlindAsk]:
    if not others:
        return
    evidence = [source for source in draft.material.sources if source.record in draft.plan.records]
    if evidence and draft.plan.operations[-1].op in GATHERING:
        yield blind_ask(draft, [*evidence, *others], "outside")
        return
    slots: list[Source | None] = [*evidence] or [None]
    for left_out in slots:
        kept = [source for source in evidence if source is not left_out]
        name = left_out.record if left_out else "nothing"
        yield blind_ask(draft, [*kept, *others], f"outside for {name}")
        for other in others[:alone] if len(others) > 1 else ():
            yield blind_ask(draft, [*kept, other], f"{other.record} for {name}")


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
