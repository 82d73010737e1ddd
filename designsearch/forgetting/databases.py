"""SQLite files: rows that hold what is forgotten go, and so do the bytes that they stood in.

The replies in a file of calls are kept by a hash of what was asked, so none of them tells which records it was written
from, and neither does a vector. So all of them go; what they cost stays on the books.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.forgetting.target import Target
from designsearch.forgetting.wording import FORGOTTEN, blanked

HEAD = b"SQLite format 3\x00"
_OF_MODELS = ("replies", "failures", "vectors")
_PATIENCE = 5.0


def is_database(path: Path) -> bool:
    """Whether a file is one of SQLite."""
    with path.open("rb") as file:
        return file.read(len(HEAD)) == HEAD


def marked(path: Path, target: Target) -> bool:
    """Whether a cell holds what is forgotten."""
    with closing(_open(path, read_only=True)) as db:
        return any(_marks(cell, target) for _, _, _, cell in _cells(db))


def model_rows(path: Path) -> int:
    """Replies and vectors of models in a file of calls; 0 in any other file."""
    with closing(_open(path, read_only=True)) as db:
        tables = {name for name, _ in _tables(db)}
        if not tables.issuperset(_OF_MODELS):
            return 0
        return sum(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _OF_MODELS)  # noqa: S608


def forget_rows(path: Path, target: Target, models: bool) -> None:
    """Take it out, and write the file anew so that nothing is left between its pages or in its log.

    Args:
        path: the file.
        target: what is forgotten.
        models: whether all replies and vectors of models go.

    Raises:
        CannotContinueError: it is in use, damaged, or cannot be written.
    """
    try:
        with closing(_open(path, read_only=False)) as db:
            db.execute("PRAGMA secure_delete=ON")
            db.execute("BEGIN IMMEDIATE")
            if models:
                for name in _OF_MODELS:
                    db.execute(f"DELETE FROM {name}")  # noqa: S608
            for table, column, cell in {(t, c, cell) for t, c, _, cell in _cells(db) if _marks(cell, target)}:
                new = _clean(cell, target)
                named, at = _quoted(table), _quoted(column)
                db.execute(f"UPDATE {named} SET {at} = ? WHERE {at} = ?", (new, cell))  # noqa: S608
            db.execute("COMMIT")
            db.execute("VACUUM")
            busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if busy:
                raise CannotContinueError(f"{path}: another process has it open; stop that, and forget again")
    except sqlite3.Error as error:
        raise CannotContinueError(f"{path}: cannot be cleaned ({error}); stop what uses it, and forget again") from None


def texts_in(path: Path) -> Iterator[str]:
    """Every text in a database."""
    with closing(_open(path, read_only=True)) as db:
        for _, _, _, cell in _cells(db):
            yield cell


def _open(path: Path, *, read_only: bool) -> sqlite3.Connection:
    place = f"{path.resolve().as_uri()}?mode={'ro' if read_only else 'rw'}"
    return sqlite3.connect(place, uri=True, timeout=_PATIENCE, isolation_level=None)


def _quoted(name: str) -> str:
    """A name as SQL takes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def _tables(db: sqlite3.Connection) -> list[tuple[str, list[str]]]:
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    own = [name for name in names if not name.startswith("sqlite_")]
    return [(name, [row[1] for row in db.execute(f"PRAGMA table_info({_quoted(name)})")]) for name in own]


def _cells(db: sqlite3.Connection) -> Iterator[tuple[str, str, int, str]]:
    """Table, column, position and text of every cell that holds text."""
    for name, columns in _tables(db):
        for i, row in enumerate(db.execute(f"SELECT * FROM {_quoted(name)}").fetchall()):  # noqa: S608
            for column, cell in zip(columns, row, strict=True):
                if isinstance(cell, str) and cell:
                    yield name, column, i, cell


def _value(cell: str) -> Any:
    try:
        return json.loads(cell) if cell[0] in '{["' else None
    except (ValueError, RecursionError):
        return None


def _marks(cell: str, target: Target) -> bool:
    return target.says(cell) or ((value := _value(cell)) is not None and target.marks(value))


def _clean(cell: str, target: Target) -> str:
    value = _value(cell)
    if value is not None:
        return json.dumps(target.scrubbed(value))
    made = blanked(cell, target.runs)
    return made if made != cell else FORGOTTEN
