"""Tables as data, and their plain form: aligned columns, one row a line, nothing cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from unicodedata import combining, east_asian_width

GAP = "  "

_CONTROL = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (0x09, 0x0A)}


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        title: its heading; empty for none.
        align: where its cells stand.
        wraps: whether a terminal may wrap its cells; all others keep their width.
    """

    title: str = ""
    align: Literal["left", "right"] = "left"
    wraps: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of text under columns.

    Attributes:
        columns: the columns.
        rows: shape (rows, columns).
        title: a line above; empty for none.
        gaps: rows before which a blank line stands.
    """

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[str]]
    title: str = ""
    gaps: frozenset[int] = field(default_factory=frozenset)

    @property
    def has_heading(self) -> bool:
        """Whether any column has a title."""
        return any(column.title for column in self.columns)


def table(*columns: str | Column, rows: Sequence[Sequence[str]], title: str = "") -> Table:
    """A table whose columns are given by their titles; ``>title`` aligns to the right, ``title*`` may wrap."""
    made = tuple(
        c if isinstance(c, Column) else Column(c.strip(">*"), "right" if c[:1] == ">" else "left", c[-1:] == "*")
        for c in columns
    )
    return Table(made, rows, title)


def clean(text: str) -> str:
    """Text that is safe to show: control characters, which could drive a terminal, are replaced."""
    return text.translate(_CONTROL)


def one_line(text: str, limit: int = 0) -> str:
    """Text on one line, white space joined; longer than ``limit`` characters it is cut and ends in ``...``."""
    joined = " ".join(clean(text).split())
    return joined if not limit or len(joined) <= limit else joined[: max(0, limit - 3)].rstrip() + "..."


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def plain_lines(shown: Table) -> list[str]:
    """The table as lines of plain text."""
    rows = [[one_line(cell) for cell in row] for row in shown.rows]
    titles = [column.title for column in shown.columns]
    body = [titles, *rows] if shown.has_heading else rows
    widths = [max((width(row[i]) for row in body), default=0) for i in range(len(titles))]
    lines = [shown.title] if shown.title else []
    if shown.has_heading:
        lines += [_line(titles, widths, shown.columns), _line(["-" * w for w in widths], widths, shown.columns)]
    for number, row in enumerate(rows):
        lines += (
            ["", _line(row, widths, shown.columns)] if number in shown.gaps else [_line(row, widths, shown.columns)]
        )
    return lines


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    parts = []
    for cell, size, column in zip(cells, widths, columns, strict=True):
        space = " " * (size - width(cell))
        parts.append(space + cell if column.align == "right" else cell + space)
    return GAP.join(parts).rstrip()
