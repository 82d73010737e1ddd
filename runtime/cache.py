"""What was computed once is found again by its content: in memory, and on disk where a folder is given.

A cached file begins with a header (format, key, checksum of the body) and is verified when it is opened; a file that
does not hold what its name promises is removed and made again. Files are written beside their final name and moved
there whole.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]

FORMAT = "designsearch-cache-1"
DEFAULT_BYTES = 1 << 30
SMALL = 1024


def content_key(*parts: Any) -> str:
    """32 hexadecimal digits that stand for plain JSON parts."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def default_folder() -> Path:
    """``$DESIGNSEARCH_CACHE``, else ``designsearch`` in the user's cache folder."""
    named = os.environ.get("DESIGNSEARCH_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "designsearch"


class Cache:
    """Values by content key.

    Args:
        folder: where arrays are kept between processes; ``None`` keeps nothing.
        limit: bytes that stay in memory, least recently used out first. A value tells its size by ``nbytes``.
    """

    def __init__(self, folder: Path | None = None, limit: int = DEFAULT_BYTES) -> None:
        self.folder = folder
        self._limit = limit
        self._held = 0
        self._memory: OrderedDict[str, tuple[Any, int]] = OrderedDict()

    def get(self, key: str, make: Callable[[], T]) -> T:
        """The value of a key, made where it is not in memory."""
        held = self._memory.get(key)
        if held is None:
            return self._remember(key, make())
        with suppress(KeyError):  # another thread may just have let it go
            self._memory.move_to_end(key)
        found: T = held[0]
        return found

    def get_all(
        self, keys: Sequence[str], make: Callable[[list[int]], Sequence[T]], keep: Callable[[T], bool]
    ) -> list[T]:
        """The values of several keys, those that are not in memory made together.

        Args:
            keys: a key may stand in it more than once; its value is made once.
            make: gives the values for these positions in ``keys``, in their order; not called where all are there.
            keep: whether a value that was made stays in memory.
        """
        values: dict[str, T] = {}
        missing: dict[str, int] = {}
        for i, key in enumerate(keys):
            held = self._memory.get(key)
            if held is None:
                missing.setdefault(key, i)
            else:
                values[key] = held[0]
        made = dict(zip(missing, make(list(missing.values())), strict=True)) if missing else {}
        for key, value in made.items():
            if keep(value):
                self._remember(key, value)
        values.update(made)
        return [values[key] for key in keys]

    def arrays(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """Named arrays of a key: from memory, else from disk, else made and written to disk."""
        return self.get(key, lambda: self._read(key) or self._write(key, make()))

    def knows(self, key: str) -> bool:
        """Whether a value is in memory."""
        return key in self._memory

    def _remember(self, key: str, value: T) -> T:
        size = _size(value)
        _, replaced = self._memory.pop(key, (None, 0))
        self._memory[key] = value, size
        self._held += size - replaced
        while self._held > self._limit and len(self._memory) > 1:
            _, (_, freed) = self._memory.popitem(last=False)
            self._held -= freed
        return value

    def _path(self, key: str) -> Path | None:
        return None if self.folder is None else self.folder / key[:2] / f"{key}.npz"

    def _read(self, key: str) -> Arrays | None:
        path = self._path(key)
        if path is None or not path.exists():
            return None
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            header = json.loads(head)
            if header == {"format": FORMAT, "key": key, "check": _checksum(body)}:
                with np.load(io.BytesIO(body), allow_pickle=False) as archive:
                    return {name: archive[name] for name in archive.files}
        except (OSError, ValueError, KeyError):
            pass
        with suppress(OSError):  # a read-only cache is read around
            path.unlink(missing_ok=True)
        return None

    def _write(self, key: str, arrays: Arrays) -> Arrays:
        path = self._path(key)
        if path is None:
            return arrays
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **dict(arrays))
        body = buffer.getvalue()
        header = json.dumps({"format": FORMAT, "key": key, "check": _checksum(body)}).encode()
        with suppress(OSError):  # a full or read-only disk costs the cache, never the work
            write_whole(path, header + b"\n" + body)
        return arrays


class Aside(Cache):
    """A cache that takes what another one holds and keeps what is new for itself alone.

    Args:
        other: the cache that is read; nothing is added to it.
    """

    def __init__(self, other: Cache) -> None:
        super().__init__(other.folder)
        self._other = other

    def get(self, key: str, make: Callable[[], T]) -> T:
        """See :meth:`Cache.get`."""
        return self._other.get(key, make) if self._other.knows(key) else super().get(key, make)


def _size(value: Any) -> int:
    """Bytes held, roughly; texts that a sequence repeats count once."""
    if isinstance(value, Mapping):
        return sum(_size(v) for v in value.values()) or SMALL
    if isinstance(value, list | tuple):
        return sum(_size(v) for v in {id(v): v for v in value}.values()) or SMALL
    if isinstance(value, str):
        return sys.getsizeof(value)
    return int(getattr(value, "nbytes", SMALL))


def _checksum(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
