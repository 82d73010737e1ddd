"""Rows of CSV files, as people and programs write them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.files import head_text, read_text
from designsearch.runtime.histories.report import LoadReport

ENDS = (".csv", ".tsv")
"""How the names of such files end."""

_LONGEST = 2**31 - 1
"""Characters of one cell; the module's own limit is shorter than many a document."""


def heading(path: Path) -> list[str]:
    """The column names at the head of a file; empty where there are none."""
    head = head_text(path, 65_536).split("\n", 1)[0].rstrip("\r")
    try:
        return [name.strip() for name in next(csv.reader([head], delimiter=_delimiter(path, head)), [])]
    except csv.Error:
        return []


def read_csv(path: Path, report: LoadReport) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a file below its heading, each with the line on which it ends; rows without a cell are passed over.

    Raises:
        UserError: the file cannot be read, has no heading, or is no CSV.
    """
    csv.field_size_limit(_LONGEST)
    text = read_text(path)
    first = text.split("\n", 1)[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(path, first))
    try:
        names = [name.strip() for name in next(rows, [])]
        if not any(names):
            raise UserError(f"{path}: the first line must name the columns")
        for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
            report.note("columns of the same name, the last one kept", name)
        begun = rows.line_num
        for cells in rows:
            if cells and cells[-1].endswith("\n"):
                _check_closed(path, text, begun, rows.line_num)
            begun = rows.line_num
            if any(cells):
                if len(cells) > len(names):
                    report.note("rows with more cells than the heading, the rest left out", f"line {rows.line_num}")
                yield rows.line_num, dict(zip(names, cells, strict=False))
    except csv.Error as error:
        raise UserError(f"{path}:{rows.line_num}: is no CSV: {error}") from None


def _check_closed(path: Path, text: str, before: int, last: int) -> None:
    """Check that the quotation marks of a row come in pairs: one that does not close takes all rows that follow.

    Raises:
        UserError: they do not.
    """
    lines = text.split("\n")
    if last >= len(lines) - 1 and "\n".join(lines[before:]).count('"') % 2:
        raise UserError(f"{path}:{before + 1}: a quotation mark in the row that begins here is never closed")


def _delimiter(path: Path, first: str) -> str:
    """What parts the cells: a tab in ``.tsv``, else whatever the heading has most of."""
    if path.suffix.lower() == ".tsv":
        return "\t"
    return max(",;\t", key=first.count)
