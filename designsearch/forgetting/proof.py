"""The search that proves it: the bytes of every file, read in every way in which a text may have been written there."""

from __future__ import annotations

import html
import json
import quopri
import re
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote_plus

from designsearch.forgetting.databases import is_database, texts_in
from designsearch.forgetting.packed import UnreadableError, is_packed, unpacked
from designsearch.forgetting.target import Target

PIECE = 8 << 20
"""Bytes that are searched at once; pieces overlap."""

OVERLAP = 1 << 16
_DEEPEST = 3
"""How often JSON stands in JSON in what the program writes, and then once more."""

_QUOTED = re.compile(rb"=[0-9A-F]{2}|=\r?\n")
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
    except (OSError, sqlite3.Error, UnreadableError) as error:
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
    if is_packed(head):
        yield from unpacked(path.read_bytes())
    if is_database(path):
        yield from (text.encode("utf-8", "surrogatepass") for text in texts_in(path))


def readings(data: bytes) -> Iterator[str]:
    """A text in the ways in which it may be meant: as it stands, wide, in Latin-1, with escapes undone.

    The escapes are those of JSON, HTML, addresses of the web and mails.
    """
    text = data.decode("utf-8", "replace")
    yield text
    if b"\0" in data:
        yield data.replace(b"\0", b"").decode("utf-8", "replace")
        yield data.decode("utf-16-le", "replace")
    if "\ufffd" in text:
        yield data.decode("cp1252", "replace")
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield unquote_plus(text)
    if _QUOTED.search(data):
        yield quopri.decodestring(data).decode("utf-8", "replace")
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
