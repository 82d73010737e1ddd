"""The SQLite file of a study's calls: how it is laid out, opened and recognised."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from designsearch.dsl.problems import CannotContinueError

VERSION = 1
PATIENCE = 10.0
"""Seconds that a locked file is waited for."""

LOG_PAGES = 10_000
"""Pages of the log, 4 kB each, after which it is worked into the file, which waits for the disk."""

TABLES = """
CREATE TABLE replies (key TEXT PRIMARY KEY, role TEXT, purpose TEXT, reply TEXT) WITHOUT ROWID;
CREATE TABLE failures (key TEXT PRIMARY KEY, role TEXT, purpose TEXT, reply TEXT) WITHOUT ROWID;
CREATE TABLE vectors (key TEXT PRIMARY KEY, vector BLOB) WITHOUT ROWID;
CREATE TABLE facts (server TEXT, model TEXT, name TEXT, value TEXT, PRIMARY KEY (server, model, name)) WITHOUT ROWID;
CREATE TABLE open_calls (
    number INTEGER PRIMARY KEY, work TEXT, role TEXT, purpose TEXT, usd REAL, input_tokens INTEGER,
    output_tokens INTEGER);
CREATE TABLE spending (
    work TEXT, role TEXT, purpose TEXT, calls INTEGER, usd REAL, input_tokens INTEGER, output_tokens INTEGER,
    PRIMARY KEY (work, role, purpose)) WITHOUT ROWID;
CREATE TABLE outcomes (
    work TEXT, role TEXT, purpose TEXT, outcome TEXT, replies INTEGER, seconds REAL,
    PRIMARY KEY (work, role, purpose, outcome)) WITHOUT ROWID;
"""
"""``failures`` are failed replies, which only a replay reads; ``open_calls`` were sent and not settled; ``outcomes``
are ``ok``, ``cached`` or a kind of failure."""


@contextmanager
def file_problems(path: Path | None) -> Iterator[None]:
    """Tell what a file's trouble means for the user.

    Raises:
        CannotContinueError: the file is damaged, locked, or cannot be read or written.
    """
    try:
        yield
    except sqlite3.ProgrammingError:  # a bug of ours, such as the use of a closed file
        raise
    except (sqlite3.OperationalError, OSError) as error:
        raise CannotContinueError(f"{path}: the calls cannot be read or kept ({_reason(error)})") from None
    except sqlite3.DatabaseError as error:
        raise _damaged(path, _reason(error)) from None


@contextmanager
def reading_rows(path: Path | None) -> Iterator[None]:
    """Tell what it means that a row holds something else than was written.

    Raises:
        CannotContinueError: it does.
    """
    try:
        yield
    except (ValueError, TypeError):
        raise _damaged(path, "a row that cannot be read") from None


def _damaged(path: Path | None, reason: str) -> CannotContinueError:
    return CannotContinueError(
        f"{path}: damaged, or no file of model calls ({reason}); put a copy back, or move it away, and what it held "
        "will be asked and paid for again"
    )


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).splitlines()[0]


def open_file(path: Path | None) -> sqlite3.Connection:
    """The file, made where there is none; ``None`` for one in memory.

    Raises:
        CannotContinueError: it is damaged, of another version, or cannot be written.
    """
    with file_problems(path):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(str(path) if path is not None else ":memory:", uri=False)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        if not db.execute("PRAGMA schema_version").fetchone()[0]:
            db.executescript(f"BEGIN; {TABLES} PRAGMA user_version={VERSION}; COMMIT;")
        _check(db, path)
        return db


def open_to_read(path: Path) -> sqlite3.Connection:
    """An existing file that is only read, even while another process writes it.

    Raises:
        CannotContinueError: it is not there, damaged, or of another version.
    """
    if not path.is_file():
        raise CannotContinueError(f"{path}: there is no file of model calls")
    with file_problems(path):
        place = path.resolve().as_uri()
        try:
            db = _connect(f"{place}?mode=ro", uri=True)
            _check(db, path)
        except sqlite3.OperationalError:  # in a folder without write access the log of a writer cannot be shared
            db = _connect(f"{place}?immutable=1", uri=True)
            _check(db, path)
        return db


def _connect(place: str, uri: bool) -> sqlite3.Connection:
    return sqlite3.connect(place, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=uri)


def _check(db: sqlite3.Connection, path: Path | None) -> None:
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found != VERSION:
        db.close()
        raise CannotContinueError(
            f"{path}: calls in format {found}, and this version of designsearch reads format {VERSION}; use the "
            "version that wrote it, or move it away, and what it held will be asked and paid for again"
        )
    db.execute("SELECT count(*) FROM open_calls").fetchone()
