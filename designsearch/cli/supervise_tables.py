"""What a generation of questions shows: how many got how far, why the others did not, how the kept ones are spread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.costs_table import costs_table
from designsearch.cli.tables import one_line, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.search.supervision.outcome import Supervision

_REASONS = 10
"""Reasons of rejection that are shown, the most frequent ones."""

_NAMES = 8
"""Sources, months or kinds that a row names."""


def show(made: Mapping[str, Supervision], out: Output) -> None:
    """The tables of each history."""
    for name, one in made.items():
        report = one.report
        parts = ", ".join(f"{part} {own['kept']}" for part, own in report["parts"].items())
        kept = report["steps"]["kept"]
        out.heading(f"{name}: {figures.number_of(kept, 'question')} in {one.folder} ({parts})")
        out.table(table("step", ">count", rows=[(step, f"{number:,}") for step, number in report["steps"].items()]))
        _reasons(report, out)
        out.gap()
        out.table(table("kept", "*", rows=_spread(report)))
        if one.costs:
            out.gap()
            out.table(costs_table(one.costs))
            out.line(
                f"each question took {report['costs']['calls_per_question']:.1f} calls, "
                f"{report['costs']['tokens_per_question']:,.0f} tokens, ${report['costs']['usd_per_question']:.4f}"
            )
        for line in report["notes"]:
            out.note(line)
        for line in one.why:
            out.warning(f"fewer than asked for, {line}")


def _reasons(report: Mapping[str, Any], out: Output) -> None:
    """The most frequent reasons, in the order of the stages."""
    found = sorted(report["rejected"], key=lambda one: -one["count"])
    shown = [one for one in report["rejected"] if one in found[:_REASONS]]
    if not shown:
        return
    rows = [(one["stage"], one["reason"], f"{one['count']:,}") for one in shown]
    more = sum(one["count"] for one in found[_REASONS:])
    rows += [("", "other reasons", f"{more:,}")] if more else []
    out.gap()
    out.table(table("lost at", "reason*", ">count", rows=rows))


def _spread(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    spread = report["spread"]
    records = spread["records"]
    return [
        ("kinds", _most(spread["kinds"])),
        ("answers", _most(spread["answer_types"])),
        ("evidence", f"{figures.number_of(records['distinct'], 'record')} ({records['share']:.1%} of the history)"),
        ("on one record", f"at most {figures.number_of(spread['busiest'], 'question')}"),
        ("records each", _most(spread["evidence"])),
        ("sources", _most(spread["sources"])),
        ("months", f"{len(spread['months'])}: {_span(list(spread['months']))}"),
        ("near-duplicates", f"{report['near_duplicates']:,} dropped"),
        *([("like official", f"{report['like_official']:,} dropped")] if report["like_official"] else []),
    ]


def _most(counts: Mapping[str, int]) -> str:
    shown = ", ".join(f"{one_line(name, 40)} {number:,}" for name, number in list(counts.items())[:_NAMES])
    return shown + (f", and {len(counts) - _NAMES} more" if len(counts) > _NAMES else "")


def _span(months: list[str]) -> str:
    known = [month for month in months if month != "unknown"]
    return f"{known[0]} to {known[-1]}" if known else "unknown"
