"""Put a journal in order after a process died while it wrote.

Optuna loads a journal whose last line is torn, loses the next thing that is appended to it and can then load it no
more. So a torn end is cut off before the journal is opened, and a lock that nobody holds is removed instead of being
waited for.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.lock import Say

_PATIENCE = 0.3
"""Seconds for which a lock may belong to a reader that is about to finish, such as a dashboard that takes a note."""


class BatchingJournal(JournalFileBackend):
    """A journal that can write several entries at once: they are on the disk together, after one wait for it.

    It is locked by a file that is opened exclusively, which needs no right to make symbolic links and works on every
    system.

    Args:
        path: the journal.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), lock_obj=JournalFileOpenLock(str(path), grace_period=30))
        self._held: list[dict[str, Any]] | None = None

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        """Write entries, or hold them back while a batch is open."""
        if self._held is not None:
            self._held += logs
        else:
            super().append_logs(logs)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Hold entries back until the block ends; nothing in it may read what it wrote."""
        self._held = []
        try:
            yield
        finally:
            held, self._held = self._held, None
            if held:
                super().append_logs(held)


def repair_journal(path: Path, say: Say) -> None:
    """Cut off a torn last line, keeping a copy of the file as it was; remove a stale lock.

    To be called by the one process that holds the study.

    Raises:
        CannotContinueError: it cannot be read, or a line before the last is damaged, which no interrupted writing
            explains.
    """
    _clear_lock(path.with_name(path.name + ".lock"), say)
    if not path.exists():
        return
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CannotContinueError(f"{path}: cannot be read ({error.strerror})") from None
    lines = data.split(b"\n")
    good = 0
    for number, line in enumerate(lines, start=1):
        last = number >= len(lines) - 1  # the text after the last line break, or the last line
        if line and not _is_json(line):
            if not last or any(lines[number:]):
                raise CannotContinueError(
                    f"{path}:{number}: the journal is damaged here and not just at its end; restore a copy of it"
                )
            break
        if number == len(lines):
            break
        good += len(line) + 1
    if good < len(data):
        backup = _free_name(path)
        shutil.copy2(path, backup)
        with path.open("r+b") as file:
            file.truncate(good)
        say(f"{path}: the last line was torn; it was cut off, and the file as it was is kept as {backup.name}")


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _free_name(path: Path) -> Path:
    number = 1
    while (backup := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    return backup


def _clear_lock(lock: Path, say: Say) -> None:
    end = time.monotonic() + _PATIENCE
    while lock.exists():
        if time.monotonic() > end:
            lock.unlink(missing_ok=True)
            say(f"removed {lock.name}, the lock of a process that died while it wrote")
            return
        time.sleep(0.02)
