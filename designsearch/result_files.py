"""Files that commands write: whole or not at all, and a plain message where that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

from designsearch.dsl.problems import CannotContinueError, UserError


def write_result(path: Path, text: str) -> None:
    """Write a file whole; an older one of that name stays as it is until then.

    Raises:
        UserError: the path is a folder, or in none.
        CannotContinueError: the disk is full, or may not be written to.
    """
    write_bytes(path, text.encode("utf-8", "surrogatepass"))


def write_bytes(path: Path, content: bytes) -> None:
    """As :func:`write_result`, for what is no text."""
    from designsearch.runtime.cache import write_whole

    check_writable(path)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a device such as /dev/stdout
        else:
            write_whole(path, content)
    except OSError as error:
        raise CannotContinueError(f"{path}: cannot be written: {_reason(error)}") from None


def check_target(path: Path, *read: str | Path) -> None:
    """Find out before the work whether a result can be written, and would not take the place of what is read for it.

    Args:
        path: the result.
        read: the files that are read, or names of something else.

    Raises:
        UserError, CannotContinueError: as :func:`check_apart` and :func:`check_writable`.
    """
    check_apart(path, *read)
    check_writable(path)


def check_apart(path: Path, *read: str | Path) -> None:
    """Find out before the work whether a result would take the place of what it is made from.

    Args:
        path: the result.
        read: the files that are read, or names of something else.

    Raises:
        UserError: one of them is that file.
    """
    for one in read:
        other = Path(str(one).partition("#")[0] if not Path(one).exists() else one)
        if path.is_file() and other.exists() and path.samefile(other):
            raise UserError(f"{path}: is read by this very command and is not overwritten; name another file")


def check_writable(path: Path) -> None:
    """Find out before the work whether a result can be written.

    Raises:
        UserError: the path is a folder, or in none.
        CannotContinueError: it may not be written to.
    """
    if path.is_dir():
        raise UserError(f"{path}: is a folder; name a file in it")
    folder = path.parent
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "there is no such folder; make it first"
        raise UserError(f"{path}: cannot be written: {folder}: {what}")
    place = path if path.exists() and not path.is_file() else folder
    if not os.access(place, os.W_OK):
        raise CannotContinueError(f"{path}: cannot be written: {place} may not be written to")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
