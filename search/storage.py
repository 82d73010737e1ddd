"""Open the storage of a ledger: a journal or a database, repaired, and patient with others who hold it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TypeVar

from optuna.exceptions import StorageInternalError
from optuna.storages import BaseStorage, JournalStorage, RDBStorage

from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.search.journal import BatchingJournal, repair_journal
from designsearch.search.lock import Say

T = TypeVar("T")

_WAIT = 60.0
"""Seconds for which a locked database is tried again."""

Batch = Callable[[], AbstractContextManager[None]]
"""Opens a block whose writes may be put off to its end."""


def open_storage(storage: str, say: Say) -> tuple[BaseStorage, Batch]:
    """Open a journal or a database, repaired where a process died while it wrote.

    Returns:
        The storage, and how several writes to it are put together.

    Raises:
        CannotContinueError: it cannot be opened.
    """
    if "://" in storage:
        return _database(storage), nullcontext
    path = Path(storage)
    path.parent.mkdir(parents=True, exist_ok=True)
    repair_journal(path, say)
    journal = BatchingJournal(path)
    return _load_journal(journal, storage), journal.batch


def read_storage(storage: str) -> BaseStorage:
    """Open a journal or a database to read it, while a study may be writing.

    Raises:
        CannotContinueError: it cannot be opened.
    """
    return _database(storage) if "://" in storage else _load_journal(BatchingJournal(Path(storage)), storage)


def _load_journal(journal: BatchingJournal, name: str) -> BaseStorage:
    try:
        return JournalStorage(journal)
    except OSError as error:
        raise CannotContinueError(f"{name}: cannot be read ({error.strerror})") from None
    except (KeyError, ValueError, TypeError, AssertionError) as error:
        raise CannotContinueError(f"{name}: is not a journal of Optuna 5 ({error})") from None


def _database(url: str) -> BaseStorage:
    kwargs = None
    if url.startswith("sqlite"):
        Path(url.partition(":///")[2]).parent.mkdir(parents=True, exist_ok=True)
        kwargs = {"connect_args": {"timeout": _WAIT}}
    try:
        return patiently(lambda: RDBStorage(url, engine_kwargs=kwargs))
    except UserError:
        raise
    except Exception as error:
        detail = str(error).strip().split("\n")[0]
        raise CannotContinueError(f"storage: {url.partition('://')[0]} cannot be opened: {detail}") from None


def patiently(work: Callable[[], T]) -> T:
    """Do it again while another process holds the database; that is no fault of the trial."""
    end = time.monotonic() + _WAIT
    pause = 0.05
    while True:
        try:
            return work()
        except StorageInternalError as error:
            if "locked" not in f"{error} {error.__cause__}" or time.monotonic() > end:
                raise CannotContinueError(f"the study's storage cannot be used: {error.__cause__ or error}") from None
            time.sleep(pause)
            pause = min(1.0, pause * 2)
