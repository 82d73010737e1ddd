"""Tables as data, and their plain forms: aligned columns, one row a line or folded, nothing cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Literal
from unicodedata import combining, east_asian_width

GAP = "  "

FOLD = "    "
"""Before what stands below the columns of a folded table."""

WRAPPED_LEAST = 24
"""The narrowest that a column which may wrap becomes; below that the table is folded."""

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
    widths = _sizes(shown)
    lines = [shown.title] if shown.title else []
    if shown.has_heading:
        lines += [_line(titles, widths, shown.columns), _line(["-" * w for w in widths], widths, shown.columns)]
    for number, row in enumerate(rows):
        lines += (
            ["", _line(row, widths, shown.columns)] if number in shown.gaps else [_line(row, widths, shown.columns)]
        )
    return lines


def least_width(shown: Table, gap: int) -> int:
    """Columns of the terminal below which a table must be folded: those that may wrap have room for a few words."""
    sizes = [
        min(size, WRAPPED_LEAST) if column.wraps else size
        for size, column in zip(_sizes(shown), shown.columns, strict=True)
    ]
    return sum(sizes) + gap * (len(sizes) - 1)


def folded_lines(shown: Table, room: int) -> list[str]:
    """The table for a terminal too narrow for it: what does not fit beside the first columns stands below, named."""
    sizes, rows = _sizes(shown), [[one_line(cell) for cell in row] for row in shown.rows]
    beside, taken = 1, sizes[0]
    while beside < len(sizes) and taken + len(GAP) + sizes[beside] <= room and not shown.columns[beside].wraps:
        taken += len(GAP) + sizes[beside]
        beside += 1

    def folded(row: Sequence[str]) -> list[str]:
        named = zip(row[beside:], shown.columns[beside:], strict=True)
        rest = GAP.join(cell if column.wraps else f"{column.title} {cell}".lstrip() for cell, column in named if cell)
        return [
            _line(row[:beside], sizes[:beside], shown.columns[:beside]),
            *(FOLD + part for part in wrap(rest, max(1, room - len(FOLD)), break_on_hyphens=False)),
        ]

    lines = [shown.title] if shown.title else []
    if shown.has_heading:
        head = ([column.title for column in shown.columns], ["-" * size for size in sizes])
        lines += [_line(cells[:beside], sizes[:beside], shown.columns[:beside]) for cells in head]
    for number, row in enumerate(rows):
        lines += ["", *folded(row)] if number in shown.gaps else folded(row)
    return lines


def _sizes(shown: Table) -> list[int]:
    """The width of each column."""
    titles = [column.title for column in shown.columns]
    rows = [[one_line(cell) for cell in row] for row in shown.rows]
    body = [titles, *rows] if shown.has_heading else rows
    return [max((width(row[i]) for row in body), default=0) for i in range(len(titles))]


def _line(cells: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    parts = []
    for cell, size, column in zip(cells, widths, columns, strict=True):
        space = " " * (size - width(cell))
        parts.append(space + cell if column.align == "right" else cell + space)
    return GAP.join(parts).rstrip()
