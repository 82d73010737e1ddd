"""Which records are sections of one document."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.records import History, IntArray

MESSAGES = frozenset({"chat", "conversation", "email"})
"""Sources of messages: what stands in their ``section`` is a subject and no heading."""


def document_numbers(history: History) -> IntArray:
    """Shape (records,): equal numbers for the sections of one document, -1 for a record that is no section.

    A section has a heading, nobody's turn to speak (no role, no reply) and shares source, session, author, time and
    file with the other sections of its document. The file is what stands before ``#`` in the id, else what the source
    calls it.
    """
    sections = np.array([bool(name.strip()) for name in history.sections.names], bool)
    silent = np.array([not name for name in history.roles.names], bool)
    papers = np.array([name.casefold() not in MESSAGES for name in history.sources.names], bool)
    numbers = np.full(len(history), -1, np.int64)
    if not len(history):
        return numbers
    likely = sections[history.sections.codes] & silent[history.roles.codes] & papers[history.sources.codes]
    table: dict[tuple[int, int, int, int, str], int] = {}
    for row in np.flatnonzero(likely).tolist():
        if not history.reply_to[row]:
            key = (
                int(history.sources.codes[row]),
                int(history.sessions.codes[row]),
                int(history.authors.codes[row]),
                int(history.times[row]),
                file_of(history, row),
            )
            numbers[row] = table.setdefault(key, len(table))
    return numbers


def file_of(history: History, row: int) -> str:
    """The file that a section is from; empty where nothing says so."""
    stem, mark, number = history.ids[row].rpartition("#")
    if mark and number.isdecimal():
        return stem
    return str(history.meta.get(row, {}).get("file") or "")
