"""What is packed in a file: archives and compressed files, also in one another."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

_ZIP, _ARRAY = b"PK\x03\x04", b"\x93NUMPY"
_COMPRESSED: Mapping[bytes, Callable[[io.BytesIO], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
"""How compressed files begin, and what reads them."""

_PIECE = 8 << 20
_OVERLAP = 1 << 16
_HEAD = 512
"""Bytes within which an archive begins; what this program writes has a header of its own before it."""

_DEEPEST = 4
"""Archives in one another that are opened."""

_BROKEN = (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, OSError)


class UnreadableError(Exception):
    """There is something packed that cannot be unpacked."""


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is an archive or compressed."""
    return _ZIP in head[:_HEAD] or head.startswith(tuple(_COMPRESSED))


def unpacked(data: bytes, deep: int = _DEEPEST) -> Iterator[bytes]:
    """What is packed in some bytes, in pieces; arrays of texts as their texts. What only looks packed gives nothing.

    Raises:
        UnreadableError: an archive is locked, packed in an unknown way, or archives are nested too deeply.
    """
    if not is_packed(data[:_HEAD]):
        return
    if not deep:
        raise UnreadableError("archives in archives")
    if _ZIP in data[:_HEAD]:
        with suppress(*_BROKEN), zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                yield from _member(packed, name, deep)
        return
    begins = next(one for one in _COMPRESSED if data.startswith(one))
    with suppress(*_BROKEN), _COMPRESSED[begins](io.BytesIO(data)) as file:
        piece, before = file.read(_PIECE), b""
        if is_packed(piece):
            yield from unpacked(piece + file.read(), deep - 1)
            return
        while piece:
            yield before + piece
            piece, before = file.read(_PIECE), piece[-_OVERLAP:]


def _member(packed: zipfile.ZipFile, name: str, deep: int) -> Iterator[bytes]:
    """One member of an archive, and what is packed in that."""
    import numpy as np

    try:
        member = packed.read(name)
    except (RuntimeError, NotImplementedError) as error:  # zipfile's words for a password, and for unknown methods
        raise UnreadableError(str(error)) from None
    yield member
    yield from unpacked(member, deep - 1)
    if member.startswith(_ARRAY):
        with suppress(ValueError, EOFError):
            array = np.load(io.BytesIO(member), allow_pickle=False)
            if array.dtype.kind in "US":
                yield "\n".join(map(str, array.ravel())).encode("utf-8", "surrogatepass")
