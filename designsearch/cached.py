"""The files of the cache folder that may go at any time: what they hold is made again when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from designsearch.dsl.problems import CannotContinueError

CALLS = "calls.sqlite"
"""The replies of models."""


class Kept(NamedTuple):
    """One cached file."""

    path: Path
    size: int
    used: float
    beside: tuple[Path, ...] = ()
    """Files that belong to it and go with it."""


def cached_files(folder: Path) -> list[Kept]:
    """The cached files; nothing else in the folder is ever touched."""
    paths = [(path, ()) for path in sorted(folder.glob("[0-9a-f][0-9a-f]/*.npz"))]
    calls = folder / CALLS
    beside = tuple(path for end in ("-wal", "-shm") if (path := calls.with_name(CALLS + end)).is_file())
    return [kept for path, more in (*paths, (calls, beside)) if (kept := _kept(path, more)) is not None]


def _kept(path: Path, beside: tuple[Path, ...]) -> Kept | None:
    """A cached file with those beside it; ``None`` where another process removed it."""
    try:
        stats = [one.stat() for one in (path, *beside)]
    except OSError:
        return None
    return Kept(path, sum(one.st_size for one in stats), max(max(one.st_mtime, one.st_atime) for one in stats), beside)


def remove(one: Kept) -> None:
    """Remove a cached file.

    Raises:
        CannotContinueError: another command uses it, or it may not be removed.
    """
    from designsearch.search.lock import hold_if_free

    try:
        if one.path.name != CALLS:
            one.path.unlink(missing_ok=True)
            if not any(one.path.parent.iterdir()):
                one.path.parent.rmdir()
            return
        with hold_if_free(one.path.with_suffix(".lock")) as free:
            if not free:
                raise CannotContinueError(f"{one.path}: another command is using it; wait for that, or stop it")
            for path in (one.path, *one.beside):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise CannotContinueError(f"{one.path}: cannot be removed: {(error.strerror or str(error)).lower()}") from None
