"""What the files and folders hold that designs name: read once, and only where it is what the identity was taken of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from designsearch.dsl.file_digest import file_digest
from designsearch.dsl.problems import CannotContinueError

T = TypeVar("T")


class NamedFiles:
    """Keeps what was read, by content: a memory goes on with what its design was read with, whatever is written there.

    Shared by all memories of the same services; unlike a cache it never lets go, since what is on the disk may be
    something else by then.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Any] = {}

    def __reduce__(self) -> tuple[type[NamedFiles], tuple[()]]:
        """A copy in another process reads for itself."""
        return NamedFiles, ()

    def get(self, kind: str, path: Path, digest: str | None, read: Callable[[Path], T]) -> T:
        """What a file or folder holds.

        Args:
            kind: what it is read as.
            path: where it is.
            digest: what it held when the identity of the design was taken; ``None`` where it was not there.
            read: reads it, unless it was read already.

        Raises:
            CannotContinueError: it holds something else now.
        """
        key = kind, digest or ""
        if key not in self._kept:
            _check(path, digest)
            value = read(path)
            _check(path, digest)  # it may have been written to meanwhile
            self._kept[key] = value
        found: T = self._kept[key]
        return found


def _check(path: Path, digest: str | None) -> None:
    if file_digest(path) != digest:
        raise CannotContinueError(
            f"{path}: is no longer what it was when the design that names it was read, so that the design's hash would"
            " stand for something else; read the design again"
        )
