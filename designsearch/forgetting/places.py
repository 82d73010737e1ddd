"""The files that are looked at: below the folders that were named, and never through a link."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.forgetting.derived import MANIFEST
from designsearch.search.lock import LOCK, hold_if_free

_ASIDE = ("-wal", "-shm", "-journal")
"""Files beside a database that SQLite itself keeps."""


@dataclass(frozen=True)
class Places:
    """What lies below some folders.

    Attributes:
        files: regular files, each once, in order.
        links: links that were not followed.
        homes: folders that the program itself writes, as a manifest in them tells.
        closed: folders that may not be read, each with the reason.
    """

    files: tuple[Path, ...]
    links: tuple[Path, ...]
    homes: tuple[Path, ...]
    closed: Mapping[Path, str]

    def is_ours(self, path: Path) -> bool:
        """Whether a file lies in a folder that the program itself writes."""
        return any(home in path.parents for home in self.homes)


def look(roots: Iterable[Path]) -> Places:
    """All that lies below files and folders.

    Raises:
        UserError: one of them is not there.
    """
    files: dict[Path, None] = {}
    links: dict[Path, None] = {}
    homes: dict[Path, None] = {}
    closed: dict[Path, str] = {}

    def shut(error: OSError) -> None:
        closed[Path(error.filename)] = (error.strerror or str(error)).lower()

    for root in roots:
        if not root.exists():
            raise UserError(f"--in {root}: there is no such file or folder")
        if root.is_file():
            files[root] = None
            continue
        for folder, names, inside in os.walk(root.resolve() if root.is_symlink() else root, onerror=shut):
            here = Path(folder)
            if not os.access(here, os.X_OK):  # its names may be read, and nothing of what they name
                closed[here] = "permission denied"
                names.clear()
                continue
            if MANIFEST in inside:
                homes[here] = None
            links.update(dict.fromkeys(here / name for name in (*names, *inside) if (here / name).is_symlink()))
            names.sort()
            found = (here / name for name in sorted(inside))
            files.update(dict.fromkeys(path for path in found if path not in links and path.is_file()))
    known = {path.resolve(): path for path in reversed(files)}
    return Places(tuple(path for path in files if known[path.resolve()] == path), tuple(links), tuple(homes), closed)


def is_aside(path: Path) -> bool:
    """Whether a file belongs to a database beside it."""
    return path.name.endswith(_ASIDE)


@contextmanager
def held(places: Places) -> Iterator[None]:
    """Hold every study among the places while the block runs.

    Raises:
        CannotContinueError: another process works on one.
    """
    with ExitStack() as stack:
        for lock in (path for path in places.files if path.name == LOCK):
            if not stack.enter_context(hold_if_free(lock)):
                raise CannotContinueError(
                    f"{lock.parent}: is in use by another process, or may not be written to; wait for that, or stop "
                    "it; nothing was changed"
                )
        yield
