"""Build units from whole records or spans of them: what every units operator shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from designsearch.runtime.records import History, IntArray, Units

JOIN = "\n"
"""What stands between the records of one unit."""


def whole_records(history: History, rows: IntArray) -> Units:
    """One unit a record, its whole text."""
    ends = np.fromiter((len(history.texts[r]) for r in rows), np.int64, len(rows))
    return Units(
        texts=tuple(history.texts[r] for r in rows),
        offsets=np.arange(len(rows) + 1, dtype=np.int64),
        records=rows,
        starts=np.zeros(len(rows), np.int64),
        ends=ends,
    )


def joined_records(history: History, groups: Sequence[Sequence[int]]) -> Units:
    """One unit a group of records, their whole texts in order."""
    records = np.array([r for group in groups for r in group], np.int64)
    offsets = np.zeros(len(groups) + 1, np.int64)
    np.cumsum([len(group) for group in groups], out=offsets[1:])
    return Units(
        texts=tuple(JOIN.join(history.texts[r] for r in group) for group in groups),
        offsets=offsets,
        records=records,
        starts=np.zeros(len(records), np.int64),
        ends=np.fromiter((len(history.texts[r]) for r in records), np.int64, len(records)),
    )


def written_units(history: History, written: Sequence[tuple[str, Sequence[int]]]) -> Units:
    """One unit a text that was written from the whole texts of some records, given by their rows."""
    groups = joined_records(history, [rows for _, rows in written])
    return replace(groups, texts=tuple(text for text, _ in written), written=True)


def by_session(history: History) -> list[list[int]]:
    """Rows of each session in order, sessions in order of their first record.

    A record without a session stands alone.
    """
    names = history.sessions.names
    groups: dict[tuple[bool, int], list[int]] = {}
    for row, code in enumerate(history.sessions.codes.tolist()):
        alone = not names[code]
        groups.setdefault((alone, row if alone else code), []).append(row)
    return list(groups.values())


def speaks(history: History, rows: IntArray, roles: Sequence[str] | None, sources: Sequence[str] | None) -> IntArray:
    """The rows whose role and source are among those wanted; ``None`` wants all. A record without a role passes."""
    keep = np.ones(len(rows), bool)
    if roles is not None:
        wanted = np.array([not name or name in roles for name in history.roles.names], bool)
        keep &= wanted[history.roles.codes[rows]] if len(rows) else keep
    if sources is not None:
        wanted = np.array([name in sources for name in history.sources.names], bool)
        keep &= wanted[history.sources.codes[rows]] if len(rows) else keep
    return rows[keep]
