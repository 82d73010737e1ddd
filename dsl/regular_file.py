"""Opening files that people name: a pipe or a device would be waited for, or read without end."""

from __future__ import annotations

import errno
import stat
from pathlib import Path
from typing import BinaryIO

_ODD = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"), (stat.S_ISSOCK, "a socket"))


def odd_kind(path: Path) -> str:
    """What is there in place of a file or folder: ``a pipe``, ``a device`` or ``a socket``; else empty.

    Raises:
        OSError: nothing is there, or it may not be looked at.
    """
    mode = path.stat().st_mode
    return next((name for test, name in _ODD if test(mode)), "")


def open_file(path: Path) -> BinaryIO:
    """A file to read bytes from.

    Raises:
        OSError: as opening raises it; also where there is a pipe, a device or a socket, with that as its reason.
    """
    if kind := odd_kind(path):
        raise OSError(errno.EINVAL, f"it is {kind}; write its content to a file and name that", str(path))
    return path.open("rb")
