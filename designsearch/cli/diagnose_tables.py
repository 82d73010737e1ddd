"""How ``designsearch diagnose`` shows what it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.episode_table import step_line
from designsearch.cli.tables import Table, one_line, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.play import Play, Played
    from designsearch.search.contracts import Failure, GoldRecord
    from designsearch.search.counterfactual import Repaired

KINDS = {
    "": "the context holds the evidence, the answer is wrong",
    "not_stored": "a gold record is in no stored unit",
    "not_retrieved": "no stage ranked it",
    "stopped_early": "the policy stopped before it found it",
    "not_kept": "a search of the policy found it, which kept no note of it",
    "cut": "it was ranked, then dropped by a later stage or the budget",
    "altered": "its record is shown, but not word for word",
}
"""What each kind of failure means."""

ORDER = ("storage", "retrieval", "answering")
TEXT = 160
WIDTH = 10
"""Of the labels before what is said of an example."""


def show(
    failures: Sequence[Failure],
    measured: int,
    repaired: Sequence[Repaired],
    played: Played,
    examples: int,
    out: Output,
) -> None:
    """Failures by what is to blame, where records were lost, what repairs do, and examples with what policies did."""
    out.heading(f"{len(failures)} of {figures.number_of(measured, 'question')} failed")
    if not failures:
        return
    out.gap()
    out.table(_categories(failures))
    lost = _stages(failures)
    if lost.rows:
        out.gap()
        out.table(lost)
    if repaired:
        out.gap()
        out.table(_repairs(failures, repaired))
    if out.quiet:
        return
    by_question = {(one.history, one.question_id): one for one in repaired}
    for kind, some in _by_kind(failures):
        for failure in some[:examples]:
            out.gap()
            out.heading(f"{kind}: {failure.history}/{failure.question_id}")
            for line in _example(failure, by_question.get(failure.key)):
                out.line(f"  {line}")
            for line in _steps(played.get(failure.key, ())):
                out.line(f"  {line}")


def _by_kind(failures: Sequence[Failure]) -> Iterator[tuple[str, list[Failure]]]:
    for category in ORDER:
        for kind in KINDS:
            found = [f for f in failures if f.category == category and f.kind == kind]
            if found:
                yield f"{category} {kind}".strip(), found


def _categories(failures: Sequence[Failure]) -> Table:
    rows = [
        (some[0].category, some[0].kind or "-", str(len(some)), f"{len(some) / len(failures):.0%}", KINDS[some[0].kind])
        for _, some in _by_kind(failures)
    ]
    return table("to blame", "kind", ">failures", ">share", "what it means*", rows=rows)


def _stages(failures: Sequence[Failure]) -> Table:
    """Where records that had been ranked were lost."""
    lost = Counter(record.lost_at for failure in failures for record in failure.evidence if record.lost_at)
    ranks: dict[str, list[int]] = {}
    for record in (record for failure in failures for record in failure.evidence):
        if record.lost_at and record.rank is not None:
            ranks.setdefault(record.lost_at, []).append(record.rank)
    rows = [(stage, str(number), _median(ranks.get(stage, []))) for stage, number in lost.most_common()]
    return table("lost at", ">records", ">median rank before", rows=rows)


def _median(ranks: Sequence[int]) -> str:
    return figures.count(sorted(ranks)[len(ranks) // 2]) if ranks else figures.NONE


def _repairs(failures: Sequence[Failure], repaired: Sequence[Repaired]) -> Table:
    from designsearch.search.counterfactual import REPAIRS

    category: dict[tuple[str, str], str] = {(f.history, f.question_id): f.category for f in failures}
    rows = []
    for name, about in [*REPAIRS.items(), ("", "no single repair")]:
        own = Counter(category[one.history, one.question_id] for one in repaired if one.by == name)
        rows.append((about, *(str(own[one]) for one in ORDER), str(own.total())))
    return table("the answer turns right with", *(f">{one}" for one in ORDER), ">all", rows=rows)


def _example(failure: Failure, repaired: Repaired | None) -> Iterator[str]:
    yield f"question   {one_line(failure.question, TEXT)}"
    yield f"gold       {one_line(failure.gold, TEXT) or '(should abstain)'}"
    if failure.answer is not None:
        yield f"answer     {one_line(failure.answer, TEXT) or '(none)'}"
    for record in failure.evidence:
        yield f"evidence   {record.record}, {_fate(record)}: {one_line(record.text, TEXT)}"
    if repaired is not None:
        from designsearch.search.counterfactual import REPAIRS

        yield f"repaired   {('by ' + REPAIRS[repaired.by]) if repaired.by else 'by nothing that was tried'}"


def _steps(own: Sequence[Play]) -> Iterator[str]:
    for play in own:
        where = f"{play.stage} " if len(own) > 1 else ""
        for number, step in enumerate(play.steps, 1):
            label = "policy" if number == 1 else ""
            yield f"{label:<{WIDTH}} {where}{number} {one_line(step_line(step), TEXT)}"


def _fate(record: GoldRecord) -> str:
    if record.present:
        return "in the context"
    rank = f" at rank {record.rank}" if record.rank is not None else ""
    where = f", lost at {record.lost_at}{rank}" if record.lost_at else ""
    return f"{record.kind.replace('_', ' ')}{where}"
