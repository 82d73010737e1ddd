"""Reading files that people wrote: UTF-8, or UTF-16 with its byte order mark, each mistake with its line."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import InvalidFileError, Problem, UserError
from designsearch.dsl.regular_file import open_file
from designsearch.runtime.histories.report import LoadReport

TWICE = "keys that are given twice, the last value kept"
"""An oddity that readers report."""

_HEAD_BYTES = 4096
_FIRST_KEY = re.compile(r'\s*\[?\s*\{\s*"([^"\\]*)"\s*:')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PLAIN_WORDS = {
    "Extra data": "something follows after the end of the value",
    "Expecting value": "expecting a value",
    "Unterminated string starting at": "the string that starts here does not end",
}
_EMPTY_ARRAY = re.compile(r"\s*\[\s*\]\s*")


def read_text(path: Path) -> str:
    """A file's text.

    Raises:
        UserError: it is not there, is a folder, a pipe or a device, or may not be read.
        InvalidFileError: it is neither UTF-8 nor UTF-16 with a byte order mark; the line is named.
    """
    return text_of(read_bytes(path), path)


def text_of(data: bytes, path: Path) -> str:
    """The text that bytes are.

    Args:
        data: the bytes.
        path: where they are from, for messages.

    Raises:
        InvalidFileError: they are neither UTF-8 nor UTF-16 with a byte order mark; the line is named.
    """
    try:
        return decoded(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[min(error.start, len(data) - 1)]:02x} is not {error.encoding.upper()}"
        raise InvalidFileError([Problem(str(path), line, 0, "", message, "save the file as UTF-8")]) from None


def decoded(data: bytes) -> str:
    """Bytes as text: in UTF-16 where they begin with its byte order mark, else in UTF-8, with or without one.

    Raises:
        UnicodeDecodeError: they are no such text.
    """
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if utf16 else "utf-8-sig")


def read_bytes(path: Path) -> bytes:
    """A file's bytes.

    Raises:
        UserError: it is not there, is a folder, a pipe or a device, or may not be read.
    """
    try:
        with open_file(path) as file:
            return file.read()
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise UserError(f"{path}: is a folder, a file is needed") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def read_json(path: Path, report: LoadReport) -> Any:
    """The one JSON document of a file.

    Raises:
        UserError: as :func:`read_text`, or the file is empty.
        InvalidFileError: it is not JSON; the line is named.
    """
    return json_of(read_bytes(path), path, report)


def json_of(data: bytes, path: Path, report: LoadReport) -> Any:
    """The one JSON document that bytes are.

    Args:
        data: the bytes.
        path: where they are from, for messages.
        report: gets what was odd.

    Raises:
        UserError: there is no text in them.
        InvalidFileError: they are no text, or it is not JSON; the line is named.
    """
    text = text_of(data, path)
    if not text.strip():
        raise UserError(f"{path}: the file is empty, a JSON document is needed")
    try:
        return _whole(_decoder(report).decode(text), text, report)
    except json.JSONDecodeError as error:
        raise InvalidFileError([_not_json(path, error.lineno, error)]) from None
    except (RecursionError, ValueError) as error:
        raise _unreadable(path, 0, error) from None


def read_json_lines(path: Path, report: LoadReport) -> Iterator[tuple[int, Any]]:
    """The values of a file of JSON lines with their 1-based line numbers; blank lines are passed over.

    A file that holds one JSON array instead is read too: its items are numbered by the lines on which they start. So is
    one that holds a single object over several lines.

    Raises:
        UserError: as :func:`read_text`.
        InvalidFileError: a line is not JSON.
    """
    text = read_text(path)
    if text.lstrip().startswith("["):
        yield from _array(path, text, report)
        return
    decode = _decoder(report).decode
    # Only a line feed ends a line: other separators (U+2028, U+0085) may stand inside a JSON string.
    for number, whole_line in enumerate(text.split("\n"), start=1):
        line = whole_line.lstrip("\ufeff")  # files put together leave their byte order marks in the middle
        if line and not line.isspace():
            try:
                value = _whole(decode(line), line, report)
            except json.JSONDecodeError as error:
                if (whole := _one_object(text, report)) is not None:
                    yield number, whole
                    return
                raise InvalidFileError([_not_json(path, number, error)]) from None
            except (RecursionError, ValueError) as error:
                raise _unreadable(path, number, error) from None
            yield number, value


def _one_object(text: str, report: LoadReport) -> Any:
    """The object that a whole file is, written over several lines; ``None`` where it is no such thing."""
    try:
        value = _decoder(report).decode(text)
    except (RecursionError, ValueError):
        return None
    return _whole(value, text, report) if isinstance(value, dict) else None


def head_key(path: Path) -> str | None:
    """The first key of the first object of a JSON file, from its head; empty for ``[]``, ``None`` without one."""
    head = head_text(path)
    if _EMPTY_ARRAY.fullmatch(head):
        return ""
    found = _FIRST_KEY.match(head)
    return found[1] if found else None


def head_text(path: Path, size: int = _HEAD_BYTES) -> str:
    """The text at the head of a file, for a look at what it is; empty where it cannot be read."""
    try:
        with open_file(path) as file:
            data = file.read(size)
    except OSError:
        return ""
    return head_of(data)


def head_of(data: bytes) -> str:
    """The text at the head of a file of which these are the first bytes; what cannot be read is U+FFFD."""
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if utf16 else "utf-8-sig", "replace")


def _array(path: Path, text: str, report: LoadReport) -> Iterator[tuple[int, Any]]:
    """The items of one JSON array with the lines on which they start."""
    decode = _decoder(report).raw_decode
    line, counted = 1, 0
    try:
        end = at = _after(text, 0, "[")
        while not text.startswith("]", end):
            line, counted = line + text.count("\n", counted, at), at
            value, end = decode(text, at)
            yield line, _whole(value, text[at:end], report)
            end = _skip_space(text, end)
            if not text.startswith("]", end):
                at = _after(text, end, ",")
        _end(text, end + 1)
    except json.JSONDecodeError as error:
        raise InvalidFileError([_not_json(path, error.lineno, error)]) from None
    except (RecursionError, ValueError) as error:
        raise _unreadable(path, line, error) from None


def _decoder(report: LoadReport) -> json.JSONDecoder:
    """Reads JSON and reports keys that an object gives twice, of which only the last can be kept."""

    def built(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            for name in dict.fromkeys(name for name in names if names.count(name) > 1):
                report.note(TWICE, name)
        return made

    return json.JSONDecoder(object_pairs_hook=built)


def _unreadable(path: Path, line: int, error: RecursionError | ValueError) -> UserError:
    """What is said of JSON that is well formed, yet too much for the reader."""
    place = f"{path}:{line}" if line else str(path)
    if isinstance(error, RecursionError):
        return UserError(f"{place}: the JSON is nested too deeply to be read")
    return UserError(f"{place}: a number has too many digits to be read; write it as a string")


def _whole(value: Any, source: str, report: LoadReport) -> Any:
    """A JSON value without halves of surrogate pairs, which no UTF-8 file could hold; ``�`` stands for each."""
    if not _SURROGATE.search(source):
        return value
    mended = _mended(value)
    if mended != value:
        report.note("texts with half a surrogate pair, which is replaced by U+FFFD")
    return mended


def _mended(value: Any) -> Any:
    """The value with every half of a surrogate pair replaced."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def _after(text: str, at: int, separator: str) -> int:
    """The first place after a separator that is due at ``at``."""
    at = _skip_space(text, at)
    if not text.startswith(separator, at):
        raise json.JSONDecodeError(f"Expecting {separator!r} delimiter", text, at)
    return _skip_space(text, at + 1)


def _end(text: str, at: int) -> None:
    """Nothing may follow."""
    at = _skip_space(text, at)
    if at < len(text):
        raise json.JSONDecodeError("Extra data", text, at)


def _skip_space(text: str, at: int) -> int:
    """The next place at or after ``at`` that holds no white space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _not_json(path: Path, line: int, error: json.JSONDecodeError) -> Problem:
    """The problem of a text that is not JSON."""
    source = error.doc.split("\n")[error.lineno - 1] if error.doc else ""
    shown = source if len(source) <= 120 else ""
    said = _PLAIN_WORDS.get(error.msg, f"{error.msg[:1].lower()}{error.msg[1:]}")
    message = f"not JSON: {said}"
    return Problem(str(path), line, error.colno, "", message, source_line=shown.rstrip("\r"))
