"""Which records are read together: batches whose boundaries depend only on the records beside them.

A boundary that counted from the beginning of a session would move with every record added or removed before it, and
every batch after it would have to be read again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from designsearch.runtime.operators.storage.spans import by_session
from designsearch.runtime.records import History

Boundary = Callable[[int, int], bool]
"""Whether something ends between a record and the next one, by their rows."""


def single(history: History) -> list[list[int]]:
    """Each record alone."""
    return [[row] for row in range(len(history))]


def exchanges(history: History, opener: str, size: int) -> list[list[int]]:
    """A record and the replies to it, within a session.

    A record of the opener (a role or an author) begins an exchange where another's stands before it; among others the
    names decide: the first in alphabetical order opens. One of more than ``size`` records is cut as windows are.
    """

    def place(row: int) -> tuple[bool, str]:
        author = history.authors[row]
        return opener not in (history.roles[row], author), author or history.roles[row]

    made = []
    for session in by_session(history):
        for exchange in _cut(session, lambda before, row: place(row) < place(before)):
            made += [exchange] if len(exchange) <= size else _windows(history, exchange, size)
    return made


def windows(history: History, size: int) -> list[list[int]]:
    """Consecutive records of a session, ``size`` of them on average and twice as many at most.

    A hash of a record's own id decides whether a window begins with it.
    """
    return [part for session in by_session(history) for part in _windows(history, session, size)]


def _windows(history: History, rows: list[int], size: int) -> list[list[int]]:
    made = []
    for stretch in _cut(rows, lambda before, row: _opens(history.ids[row], size)):
        made += [stretch[i : i + 2 * size] for i in range(0, len(stretch), 2 * size)]
    return made


def _opens(record: str, size: int) -> bool:
    digest = hashlib.blake2b(record.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) % size == 0


def _cut(rows: list[int], between: Boundary) -> list[list[int]]:
    made: list[list[int]] = []
    for i, row in enumerate(rows):
        if i == 0 or between(rows[i - 1], row):
            made.append([])
        made[-1].append(row)
    return made
