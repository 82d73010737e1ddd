"""One process at a time works on a study."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from designsearch.dsl.problems import CannotContinueError

LOCK = "run.lock"

Say = Callable[[str], None]
"""Where a message for people goes."""


@contextmanager
def study_lock(folder: Path, say: Say, what: str = "the study") -> Iterator[None]:
    """Hold a study, or another folder that goes by ``what``, while the block runs.

    The operating system's own file lock decides, so that a process that died never blocks anybody; its name is left in
    the file, and clearing it is said.

    Raises:
        CannotContinueError: a live process holds the study, which is named by its pid; or the folder cannot be made.
    """
    with _open(folder / LOCK) as file:
        if not _try_lock(file):
            raise CannotContinueError(
                f"{folder}: {what} is in use by {_holder(file) or 'another process'}; wait for it, or stop it"
            )
        if holder := _holder(file):
            say(f"cleared the lock of {holder}, which is gone")
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid()}) + "\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
            _unlock(file)


@contextmanager
def hold_if_free(path: Path) -> Iterator[bool]:
    """Hold a file while the block runs, where nobody else does and it can be written; whether that is so."""
    try:
        file = _open(path)
    except CannotContinueError:
        yield False
        return
    with file:
        held = _try_lock(file)
        try:
            yield held
        finally:
            if held:
                _unlock(file)


def _open(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        raise CannotContinueError(f"{path.parent}: the run folder cannot be written to ({error.strerror})") from None


def _holder(file: IO[str]) -> str:
    """``process N`` as the file names it; empty where it names none."""
    file.seek(0)
    try:
        pid = json.loads(file.read()).get("pid")
    except (ValueError, AttributeError):
        return ""
    return f"process {pid}"


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """The byte that is locked: far behind the text, which Windows would else refuse to show."""

    def _try_lock(file: IO[str]) -> bool:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: IO[str]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
