"""How things look on a terminal; the only module that knows rich. Text is shown as it is, never read as markup."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Table as RichTable
from rich.text import Text

from designsearch.cli.tables import Table, folded_lines, least_width, one_line

_GAP = 3
"""Between two columns: the padding and the place of the box's line."""


def _console() -> Console:
    return Console(file=sys.stdout, markup=False, highlight=False, emoji=False)


@contextmanager
def live_status(what: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is being done and goes away at the end."""
    console = Console(file=sys.stderr, markup=False, highlight=False, emoji=False)
    with console.status(Text(f"{what} ...")) as status:
        yield lambda step: status.update(Text(f"{what} {one_line(step)} ..."))


@contextmanager
def live_counts(what: str, wanted: int) -> Iterator[Callable[[Any], None]]:
    """A bar on stderr for what is kept, and one for each step before it as a share of the first; gone at the end."""
    console = Console(file=sys.stderr, markup=False, highlight=False, emoji=False)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.fields[shown]}"))
    with Progress(*columns, console=console, transient=True) as bars:
        rows: dict[str, TaskID] = {}

        def show(seen: Any) -> None:
            steps = seen.steps()
            first = max(1, *steps.values())
            for name, number in steps.items():
                total = wanted if name == "kept" else first
                shown = f"{number:,} of {wanted:,}" if name == "kept" else f"{number:,}"
                if name not in rows:
                    rows[name] = bars.add_task(f"{what} {name}", total=total, shown=shown)
                bars.update(rows[name], completed=min(number, total), total=total, shown=shown)

        yield show


def print_heading(text: str) -> None:
    """A heading in bold."""
    _console().print(Text(text, style="bold"), soft_wrap=True)


def print_table(shown: Table) -> None:
    """A table that fits the terminal: columns that may wrap do, the others keep their width, or it is folded."""
    console = _console()
    if least_width(shown, _GAP) > console.width:
        for line in folded_lines(shown, console.width):
            console.print(Text(line), soft_wrap=True)
        return
    made = RichTable(
        box=SIMPLE_HEAD if shown.has_heading else None,
        show_header=shown.has_heading,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="bold",
        show_edge=False,
    )
    for column in shown.columns:
        made.add_column(column.title, justify=column.align, no_wrap=not column.wraps, overflow="fold")
    for number, row in enumerate(shown.rows):
        if number in shown.gaps:
            made.add_row()
        made.add_row(*(Text(one_line(cell)) for cell in row))
    if shown.title:
        console.print(Text(shown.title, style="bold"))
    console.print(made)
