"""How ``designsearch diff --trajectory`` shows a study: what an accepted revision changed, why, and what it brought."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.tables import one_line

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.dsl.design import Design
    from designsearch.dsl.diff import Change
    from designsearch.search.compare import Comparison
    from designsearch.search.run_record import Tried


def show_trajectory(study: str, out: Output) -> None:
    """Show the base and every accepted revision in order."""
    from designsearch.search.run_record import read_run
    from designsearch.search.study_refs import find_run

    record = read_run(find_run(study))
    base, *accepted = record.trajectory
    steps = [_step(before, after) for before, after in zip(record.trajectory, accepted, strict=False)]
    out.document(
        {
            "study": record.name,
            "objective": record.objective,
            "base": {"design_hash": base.design_hash, "value": base.value},
            "revisions": [_plain(*step) for step in steps],
        }
    )
    tried = figures.number_of(len(record.tried) - 1, "revision")
    out.heading(f"{record.name}: {record.objective}, {len(accepted)} accepted of {tried} scored")
    out.line(f"base        {figures.share(base.value)}  {base.design_hash}")
    for step in steps:
        out.gap()
        for line in _lines(*step, whole=out.verbose):
            out.line(line)


def _step(before: Tried, after: Tried) -> tuple[Tried, Tried, list[Change], Comparison]:
    from designsearch.dsl.diff import diff

    return before, after, diff(_design(before), _design(after)), after.against(before)


def _design(one: Tried) -> Design:
    from designsearch.runtime.operators import load_all

    return one.design(load_all())


def _lines(before: Tried, after: Tried, changes: list[Change], found: Comparison, *, whole: bool) -> Iterator[str]:
    scores = f"{figures.share(before.value)} -> {figures.share(after.value)}"
    yield f"revision {after.revision}  {scores}  {after.design_hash}  trial {after.trial}"
    interval = figures.between(found.interval, signed=True)
    yield (
        f"  gain      {figures.gain(found.gain)} ({interval}), better on {found.gains}, worse on {found.losses} of "
        f"{found.count} questions, p {figures.p_value(found.p)}"
    )
    yield f"  why       {after.proposal.proposer}: {one_line(after.proposal.rationale) or 'no reason given'}"
    causes = before.causes
    if causes:
        yield "  failures  " + ", ".join(f"{number} {cause}" for cause, number in causes.most_common())
    counted = after.report
    tokens = figures.count(counted.mean_context_tokens, "tokens")
    yield f"  cost      {tokens} a question, {figures.count(counted.calls)} model calls, ${counted.cost:.2f}"
    for number, change in enumerate(changes):
        yield f"  {'changes' if number == 0 else '':9} {change.whole() if whole else change}"


def _plain(before: Tried, after: Tried, changes: list[Change], found: Comparison) -> dict[str, Any]:
    return {
        "revision": after.revision,
        "trial": after.trial,
        "design_hash": after.design_hash,
        "before": before.value,
        "after": after.value,
        "gain": found.gain,
        "interval": list(found.interval[:2]) if found.interval else None,
        "gains": found.gains,
        "losses": found.losses,
        "p": found.p,
        "proposer": after.proposal.proposer,
        "rationale": after.proposal.rationale,
        "expected": after.proposal.expected,
        "failures": dict(before.causes),
        "context_tokens": after.report.mean_context_tokens,
        "calls": after.report.calls,
        "cost": after.report.cost,
        "changes": [change.to_json() for change in changes],
    }
