"""What a file or folder that a design names holds, in a few digits: its identity, wherever it lies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from designsearch.dsl.regular_file import odd_kind

CHUNK = 1 << 20

Stamp = tuple[tuple[str, int, int], ...]
"""Name below the path, size and time of the last change of each file."""


def file_named(written: str, folder: Path | None) -> Path:
    """The file or folder that a design names: seen from the design's folder, ``~`` being a home folder.

    The design's folder need not be there yet.
    """
    named = Path(written)
    with suppress(RuntimeError):  # nobody of that name has a home: no such file will be found
        named = named.expanduser()
    found = (folder or Path()) / named
    return found.parent.resolve() / found.name  # a link keeps its own name


def file_digest(path: Path) -> str | None:
    """16 hexadecimal digits of the SHA-256 of a file, or of all files of a folder with their names.

    What is large is read once, and again when a size or the time of a last change is another; what is small, each time:
    two changes of a moment leave one time.

    Returns:
        ``None`` where there is no such file or folder, the folder is empty, or it cannot be read.
    """
    try:
        stamp = tuple(_stamps(path))
        if not stamp:
            return None
        read = _digest if sum(size for _, size, _ in stamp) > CHUNK else _digest.__wrapped__
        return read(path.resolve(), stamp)
    except OSError:
        return None


def _stamps(path: Path) -> Iterator[tuple[str, int, int]]:
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    if odd_kind(path):
        return
    for file in files:
        about = file.stat()
        name = file.relative_to(path).as_posix() if file != path else ""
        yield name, about.st_size, about.st_mtime_ns


@lru_cache(maxsize=64)
def _digest(path: Path, stamp: Stamp) -> str:
    h = hashlib.sha256()
    for name, size, _ in stamp:
        h.update(f"{name}\n{size}\n".encode("utf-8", "surrogatepass"))
        with (path / name if name else path).open("rb") as file:
            while chunk := file.read(CHUNK):
                h.update(chunk)
    return h.hexdigest()[:16]
