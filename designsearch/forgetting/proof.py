"""The search that proves it: the bytes of every file, read in every way in which a text may have been written there."""

from __future__ import annotations

import gzip
import html
import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from designsearch.forgetting.databases import is_database, texts_in
from designsearch.forgetting.target import Target

PIECE = 8 << 20
"""Bytes that are searched at once; pieces overlap."""

OVERLAP = 1 << 16
_DEEPEST = 3
"""How often JSON stands in JSON in what the program writes, and then once more."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_WHITE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def left_in(path: Path, target: Target) -> str:
    """What of the records a file still holds, in words; empty where nothing was found."""
    try:
        for data in contents(path):
            if any(target.says(text) for text in readings(data)):
                return "holds text of it"
        if _names(path, target):
            return "names it"
    except (OSError, sqlite3.Error) as error:
        return f"could not be searched ({getattr(error, 'strerror', None) or error})"
    return ""


def contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file in pieces, and those of what is packed in it."""
    with path.open("rb") as file:
        before = b""
        while piece := file.read(PIECE):
            yield before + piece
            before = piece[-OVERLAP:]
        file.seek(0)
        head = file.read(512)
    start = head.find(b"PK\x03\x04")
    if start >= 0:
        yield from _unzipped(path)
    if head.startswith(b"\x1f\x8b"):
        with suppress(gzip.BadGzipFile, EOFError, zlib.error), gzip.open(path) as packed:
            while piece := packed.read(PIECE):
                yield piece
    if is_database(path):
        yield from (text.encode("utf-8", "surrogatepass") for text in texts_in(path))


def _unzipped(path: Path) -> Iterator[bytes]:
    """The members of an archive, also one that begins behind a header of ours; arrays of texts as their texts."""
    import numpy as np

    data = path.read_bytes()
    broken = suppress(zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError)
    with broken, zipfile.ZipFile(io.BytesIO(data)) as packed:
        for name in packed.namelist():
            member = packed.read(name)
            yield member
            with suppress(ValueError, EOFError):
                array = np.load(io.BytesIO(member), allow_pickle=False)
                if array.dtype.kind in "US":
                    yield "\n".join(map(str, array.ravel())).encode("utf-8", "surrogatepass")


def readings(data: bytes) -> Iterator[str]:
    """A text in the ways in which it may be meant: as it stands, wide, with JSON's and with HTML's escapes undone."""
    text = data.decode("utf-8", "replace")
    yield text
    if b"\0" in data:
        yield data.replace(b"\0", b"").decode("utf-8", "replace")
        yield data.decode("utf-16-le", "replace")
    if "&" in text:
        yield html.unescape(text)
    for _ in range(_DEEPEST):
        if "\\" not in text:
            return
        text = unescaped(text)
        yield text


def unescaped(text: str) -> str:
    """The text with JSON's escapes undone once."""

    def plain(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else _WHITE.get(found[2], found[2])

    made = _ESCAPE.sub(plain, text)
    return made.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _names(path: Path, target: Target) -> bool:
    """Whether a file of JSON, or JSON in a database, names one of the records."""
    if path.suffix.lower() == ".json":
        return any(map(target.names, _values([path.read_text(encoding="utf-8", errors="replace")])))
    if path.suffix.lower() in (".jsonl", ".ndjson", ".log"):
        return any(map(target.names, _values(path.read_text(encoding="utf-8", errors="replace").split("\n"))))
    return is_database(path) and any(map(target.names, _values(texts_in(path))))


def _values(texts: Iterator[str] | list[str]) -> Iterator[object]:
    for text in texts:
        with suppress(ValueError, RecursionError):
            yield json.loads(text)
