"""A folder for results: found out before the work whether it can be made, and made when there is something for it."""

from __future__ import annotations

import os
from pathlib import Path

from designsearch.dsl.problems import CannotContinueError, UserError


def check_makable(folder: Path) -> None:
    """Find out whether a folder is there and may be written to, or else can be made; nothing is made.

    Raises:
        UserError: it is a file, or a folder above it is one.
        CannotContinueError: it may not be written to, or not be made.
    """
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is a file; name a folder")
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        raise UserError(f"{folder}: cannot be made: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        what = "may not be written to" if there == folder else f"cannot be made: {there} may not be written to"
        raise CannotContinueError(f"{folder}: {what}")


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, where they are not there.

    Raises:
        CannotContinueError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotContinueError(f"{folder}: cannot be made: {(error.strerror or str(error)).lower()}") from None
