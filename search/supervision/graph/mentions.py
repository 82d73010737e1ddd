"""What a record names: addresses on the web, files, other records, messages.

A *name* is one of ``url:...``, ``file:...``, ``id:...`` and ``mail:...``, folded so that two spellings of one thing are
equal. A record *bears* its own id, its message id and, where it begins a document, the document's file name; it
*mentions* what stands in its text or in what its source says about it. A word of a text means a record or a file only
where it holds a digit: ids and names without one are words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import numpy as np

from designsearch.runtime.records import History, IntArray
from designsearch.search.supervision.graph.documents import file_of

_ENDINGS = (
    "avi|bmp|csv|docx?|eml|epub|gif|gpx|heic|html?|ics|ipynb|jpe?g|json|key|log|m4a|md|mov|mp3|mp4|odp|ods|odt|ogg|opus|"
    "pdf|png|pptx?|py|rtf|sql|svg|tar|tex|tiff?|tsv|txt|vcf|wav|webm|webp|xlsx?|xml|ya?ml|zip"
)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
# a name begins where no other character of a name stands before it, so that a long run is read once
_FILE = re.compile(rf"(?<![\w.\-+&%])\w[\w.\-+&%]*\.(?:{_ENDINGS})(?![\w\-])", re.IGNORECASE)
_AFTER_SPACELESS = re.compile(r"[\u0e00-\U0010ffff]([!-~]+\.\w+)$")
"""A name right after the letters of a script that is written without spaces."""

_MESSAGE_ID = re.compile(r"<([^<>\s@]{8,200}@[^<>\s@]{1,200})>")
_DIGIT = re.compile(r"\d")
_APART = re.compile(r"[^!-~]+|[,;|<>\"()\[\]{}]+")
"""What stands between names in a word: brackets, quotation marks, commas, and letters of scripts without spaces."""

_AROUND = ".,:;!?'`*_’‘…()[]{}<>|\"“”„«»"
_LONGEST = 300
"""Characters of a value of ``meta`` that can still name something."""

_CERTAIN = 6
"""Characters of a file name without its ending from which on a text may mean it."""


class Mentions:
    """Reads the names in the records of one history.

    Args:
        history: the records.
        documents: shape (records,): the document of each record, -1 for none.
    """

    def __init__(self, history: History, documents: IntArray) -> None:
        self._history = history
        self._bearers: dict[str, list[int]] = {}
        self._stems: dict[str, str] = {}
        self._spaced: dict[str, list[str]] = {}
        numbers, begins = np.unique(documents, return_index=True)
        for row in begins[numbers >= 0].tolist():
            if file := _file(file_of(history, row) or history.sessions[row]):
                self._know(row, file)
        for row, meta in sorted(history.meta.items()):
            for key, value in meta.items():
                if key.casefold().replace("-", "_") == "message_id" and isinstance(value, str):
                    self._bearers.setdefault(f"mail:{value.strip('<> ').casefold()}", []).append(row)

    def _know(self, row: int, file: str) -> None:
        self._bearers.setdefault(f"file:{file}", []).append(row)
        self._stems.setdefault(file.rpartition(".")[0] or file, file)
        if " " in file:
            self._spaced.setdefault(file.rpartition(" ")[2], []).append(file)

    def bearers(self, name: str) -> list[int]:
        """The rows that bear a name."""
        kind, _, own = name.partition(":")
        if kind == "id":
            return [self._history.row[own]]
        return self._bearers.get(name, [])

    def mentioned(self, row: int) -> Iterator[str]:
        """The names that a record mentions; one may come more than once."""
        yield from self._in_text(self._history.texts[row])
        meta = self._history.meta.get(row)
        for value in _strings(meta) if meta else ():
            if file := self._stems.get(_file(value)):
                yield f"file:{file}"
            yield from self._in_text(value)

    def _in_text(self, text: str) -> Iterator[str]:
        if "://" in text or "www." in text:
            yield from (f"url:{_url(found)}" for found in _URL.findall(text))
        if "@" in text:
            yield from (f"mail:{found.casefold()}" for found in _MESSAGE_ID.findall(text) if _DIGIT.search(found))
        if "." in text:
            for found in _FILE.findall(text):
                yield f"file:{self._whole(_file(found), text)}"
                if spaceless := _AFTER_SPACELESS.search(found):
                    yield f"file:{_file(spaceless[1])}"
        for word in text.split():
            if not word.isalpha() and _DIGIT.search(word):
                yield from self._known(word)

    def _known(self, word: str) -> Iterator[str]:
        """A word of a text, where it is the id of a record or the name of a file without its ending."""
        pieces = {word}
        if not (word.isascii() and word.isalnum()):
            pieces.update(piece.strip(_AROUND) for piece in (word, *_APART.split(word)))
        for piece in sorted(pieces):
            if piece in self._history.row and not piece.isdecimal() and len(piece) > 1:
                yield f"id:{piece}"
            if len(piece) >= _CERTAIN and (file := self._stems.get(piece.casefold())):
                yield f"file:{file}"

    def _whole(self, tail: str, text: str) -> str:
        """A file's whole name, where the history knows one with spaces that ends so and stands in the text."""
        folded = text.casefold() if tail in self._spaced else ""
        return next((file for file in self._spaced.get(tail, ()) if file in folded), tail)


def without_addresses(text: str) -> str:
    """A text without addresses on the web: their parts are no words of it."""
    return _URL.sub(" ", text) if "://" in text or "www." in text else text


def _file(name: str) -> str:
    """A file's name without its folder, folded."""
    return unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1]).casefold().strip()


def _url(found: str) -> str:
    """An address without its scheme and without the punctuation after it, folded."""
    bare = found.rstrip(".,;:!?)*_'’…").casefold()
    return re.sub(r"^https?://", "", bare).removeprefix("www.").partition("#")[0].rstrip("/")


def _strings(value: Any) -> Iterator[str]:
    """The short texts in a value of ``meta``."""
    if isinstance(value, str):
        if 0 < len(value) <= _LONGEST:
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)
