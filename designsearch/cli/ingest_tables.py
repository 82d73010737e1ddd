"""What an import shows: what each history holds, and what was odd about its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.tables import one_line, table
from designsearch.runtime.histories.report import LoadReport

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.ingesting import Ingested
    from designsearch.runtime.histories.overview import Overview

_SHOWN = 8
"""Sources, roles or authors that a row names."""

_EXAMPLE = 60
"""Characters of an example that are shown."""

_SINGLE = 3
"""Up to so many histories are shown one by one."""


def show(done: Ingested, out: Output) -> None:
    """The tables of an import."""
    if len(done.histories) <= _SINGLE:
        for one in done.histories:
            out.heading(f"{one.file}: {figures.number_of(one.overview.records, 'record')} from {done.source}")
            out.table(table("", "*", rows=_rows(one.overview, done.format)))
            _show_report(one.overview.report, out)
    else:
        rows = [(one.name, f"{one.overview.records:,}", _span(one.overview), str(one.file)) for one in done.histories]
        out.heading(f"{figures.number_of(len(done.histories), 'history', 'histories')} from {done.source}")
        out.table(table("history", ">records", "time", "file*", rows=rows))
        together = LoadReport()
        for one in done.histories:
            together.merge(one.overview.report)
        _show_report(together, out)
    if done.empty:
        out.note(f"empty, left out: {', '.join(done.empty)}")
    if done.questions_file is not None:
        out.note(f"{done.questions_file}: {figures.number_of(done.questions, 'question')}")
    elif done.questions:
        out.note(f"{figures.number_of(done.questions, 'question')} left out; --questions FILE keeps them")
    if done.report_file is not None:
        out.note(f"{done.report_file}: the whole account")


def _rows(seen: Overview, kind: str) -> list[tuple[str, str]]:
    """What a history holds."""
    rows = [
        ("format", kind),
        ("records", figures.number_of(seen.records, "record")),
        ("sources", _most(seen.sources)),
        ("roles", _most(seen.roles)),
        ("authors", _most(seen.authors)),
        ("sessions", f"{seen.sessions:,}"),
        ("time", _span(seen)),
        ("precision", f"{_most(seen.precisions)}; with a zone: {seen.zoned:,}"),
    ]
    return rows + (
        [("changes", figures.number_of(seen.changes, "edit or deletion", "edits and deletions"))] * bool(seen.changes)
    )


def _span(seen: Overview) -> str:
    return "unknown" if seen.first is None else f"{seen.first} to {seen.last}"


def _most(counts: Mapping[str, int]) -> str:
    """The first of some counted names."""
    shown = ", ".join(f"{one_line(name, _EXAMPLE)} {number:,}" for name, number in list(counts.items())[:_SHOWN])
    more = len(counts) - _SHOWN
    return shown + (f", and {more:,} more" if more > 0 else "")


def _show_report(report: LoadReport, out: Output) -> None:
    """What was read beside records, and what was odd."""
    read = [(what, f"{number:,}") for what, number in report.counts.items() if what not in ("events", "questions")]
    odd = [
        (oddity.what, f"{oddity.count:,}", ", ".join(one_line(example, _EXAMPLE) for example in oddity.examples))
        for oddity in report.oddities
    ]
    if read:
        out.gap()
        out.table(table("read", ">count", rows=read))
    if odd:
        out.gap()
        out.table(table("to know", ">count", "examples*", rows=odd))
