"""How things look on a terminal; the only module that knows rich. Text is shown as it is, never read as markup."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.console import Console
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
