"""SQLite files after something was taken out of them."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from designsearch.dsl.problems import CannotContinueError
from designsearch.forgetting.databases import forget_rows, marked, model_rows
from designsearch.forgetting.target import target_of
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Record

TEXT = "The spare key of the workshop lies under the third blue flower pot"


@pytest.fixture
def target():
    return target_of("h", [Record("r1", TEXT)], ["r1"], frozenset({"r1"}))


def bytes_of(folder):
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_the_log_of_a_killed_process_is_emptied_too(target, tmp_path):
    made, killed = tmp_path / "made", tmp_path / "killed"
    store = CallStore(made / "calls.sqlite")
    for i in range(300):
        store.keep(f"k{i}", "helper", "p", Reply(text=f"{i}: {TEXT}"))
    store.flush()
    shutil.copytree(made, killed)
    store.close()
    assert b"third blue flower pot" in (killed / "calls.sqlite-wal").read_bytes()
    assert marked(killed / "calls.sqlite", target)
    assert model_rows(killed / "calls.sqlite") == 300
    forget_rows(killed / "calls.sqlite", target, models=True)
    assert b"flower" not in bytes_of(killed)
    assert not marked(killed / "calls.sqlite", target)
    CallStore(killed / "calls.sqlite").close()


def test_cells_of_any_table_are_blanked_and_others_stay(target, tmp_path):
    path = tmp_path / "study.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE trial (n INTEGER, value_json TEXT)")
        rows = [(1, json.dumps({"why": TEXT, "k": 3})), (2, f"so: {TEXT}!"), (3, '{"record": "r1"}'), (4, "other")]
        db.executemany("INSERT INTO trial VALUES (?, ?)", rows)
        db.commit()
    assert model_rows(path) == 0
    forget_rows(path, target, models=False)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT * FROM trial ORDER BY n").fetchall() == [
            (1, '{"why": "forgotten", "k": 3}'), (2, "so: forgotten!"), (3, '{"record": "forgotten"}'), (4, "other"),
        ]  # fmt: skip
    assert b"flower" not in bytes_of(tmp_path)


def test_a_database_in_use_is_told(target, tmp_path, monkeypatch):
    monkeypatch.setattr("designsearch.forgetting.databases._PATIENCE", 0.1)
    path = tmp_path / "calls.sqlite"
    CallStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(CannotContinueError, match=r"cannot be cleaned .*locked.*; stop what uses it"):
            forget_rows(path, target, models=True)


def test_names_with_quotation_marks_are_names(target, tmp_path):
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute('CREATE TABLE "odd""table" ("odd""column" TEXT)')
        db.execute('INSERT INTO "odd""table" VALUES (?)', (TEXT,))
        db.commit()
    assert marked(path, target)
    forget_rows(path, target, models=False)
    assert b"third blue flower pot" not in path.read_bytes()
