"""What was found out about a model at a server, such as the formats that it can write: kept in the file of calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, MutableMapping
from threading import RLock


class StoredFacts(MutableMapping[str, str]):
    """Facts about one model at one server.

    Args:
        db: the file of calls.
        lock: held around each use of it.
        server: its address.
        model: the model's name there.
    """

    def __init__(self, db: sqlite3.Connection, lock: RLock, server: str, model: str) -> None:
        self._db = db
        self._lock = lock
        self._of = server, model
        with lock:
            rows = db.execute("SELECT name, value FROM facts WHERE server = ? AND model = ?", self._of).fetchall()
        self._known: dict[str, str] = dict(rows)

    def __getitem__(self, name: str) -> str:
        return self._known[name]

    def __setitem__(self, name: str, value: str) -> None:
        with self._lock:
            self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", (*self._of, name, value))
        self._known[name] = value

    def __delitem__(self, name: str) -> None:
        del self._known[name]
        with self._lock:
            self._db.execute("DELETE FROM facts WHERE server = ? AND model = ? AND name = ?", (*self._of, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
