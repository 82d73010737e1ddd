"""Mails as bytes, one after another, out of mailboxes, single files and folders of both."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from designsearch.dsl.regular_file import open_file
from designsearch.runtime.histories.files import decoded, read_bytes
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.tree import files_of, some_files

_NAMES = (
    rb"(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version|content-type|sender|reply-to"
    rb"|dkim-signature|x-[a-z-]+)"
)
_DAY = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?:\d{1,2} +)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b"
_LOOSE = rb"[^\n]*(?:\d:\d\d|\b(?:19|20)\d\d\b|\S@\S)[^\n]*(?=\n(?i:" + _NAMES + rb"):)"
_FROM_LINE = re.compile(rb"^From (?P<rest>[^\n]*?\b" + _DAY + rb"[^\n]*|" + _LOOSE + rb")\n", re.MULTILINE)
"""A line that parts two mails: one with the date as these lines have it, or one that headers of a mail follow."""

_FIRST_LINE = re.compile(rb"From (?=\S*@|[^\n]*\d:\d\d|[^\n]*\b(?:19|20)\d\d\b)[^\n]*(?:\n|\Z)")
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEADER = re.compile(rb"^(" + _NAMES + rb")[ \t]*:", re.IGNORECASE | re.MULTILINE)
_FIRST_HEADER = re.compile(rb"\s*[!-9;-~]+[ \t]*:")
_HEAD_BYTES = 16_384
_MAIL_ENDS = (".eml", ".emlx")
_BOX_ENDS = (".mbox", ".mbx")
_MAILDIR = ("cur", "new")
_FEWEST_HEADERS = 2
"""Headers of different names that show that a file without a telling name is a mail."""


class RawMail(NamedTuple):
    """One mail as it was found.

    Attributes:
        data: its bytes, lines parted by a line feed alone.
        envelope: what its ``From_`` line says after the word, empty where it has none.
        place: where it is, for people.
    """

    data: bytes
    envelope: str
    place: str


def is_mail_source(path: Path) -> bool:
    """Whether a path looks like mails, by its name and by the heads of files."""
    if path.is_file():
        return _kind(path) != ""
    if not path.is_dir():
        return False
    if any((path / name).is_dir() for name in _MAILDIR) and (path / "cur").is_dir():
        return True
    return any(_kind(file) for file in some_files(path))


def mails_of(path: Path, report: LoadReport) -> Iterator[RawMail]:
    """The mails of a source; files in it that hold none are left out and reported."""
    if path.is_file():
        yield from _of_file(path, "", _kind(path) or "mail", report)
        return
    for file in files_of(path, report):
        place = file.relative_to(path).as_posix()
        in_maildir = file.parent.name in _MAILDIR
        if file.parent.name == "tmp" and (file.parent.parent / "cur").is_dir():
            report.note("mails that were never wholly delivered, left out", place)
        elif kind := _kind(file) or ("mail" if in_maildir else ""):
            report.count("mail files")
            yield from _of_file(file, place, kind, report)
        else:
            report.note("files that are no mail, left out", place)


def _kind(path: Path) -> str:
    """``box``, ``mail``, or empty for neither."""
    suffix = path.suffix.lower()
    if suffix in _MAIL_ENDS:
        return "mail"
    if suffix in _BOX_ENDS:
        return "box"
    if suffix in (".txt", "") or path.parent.name in _MAILDIR:
        try:
            with open_file(path) as file:
                head = _plain(file.read(_HEAD_BYTES))
        except OSError:
            return ""
        if _FROM_LINE.match(head):
            return "box"
        if not suffix or path.parent.name in _MAILDIR:
            return "mail" if _looks_like_mail(head) else ""
    return ""


def _looks_like_mail(head: bytes) -> bool:
    """Whether a file begins with headers, some of which every mail has."""
    block = head.split(b"\n\n", 1)[0]
    names = {name.lower() for name in _HEADER.findall(block)}
    return _FIRST_HEADER.match(head) is not None and len(names) >= _FEWEST_HEADERS


def _of_file(path: Path, place: str, kind: str, report: LoadReport) -> Iterator[RawMail]:
    data = _plain(read_bytes(path))
    if not data.strip():
        report.note("files of no bytes, left out", place or path.name)
    elif kind == "box" or _FROM_LINE.match(data):
        yield from _of_box(data, place)
    else:
        if path.suffix.lower() == ".emlx":  # Apple Mail puts the length of the mail in front
            data = re.sub(rb"\A\d+ *\n", b"", data)
        yield RawMail(data, "", place or path.name)


def _of_box(data: bytes, place: str) -> Iterator[RawMail]:
    """The mails of a mailbox: each begins at a ``From_`` line; ``>From`` in its text was written without the mark."""
    starts = [(found.start(), found.end(), found["rest"]) for found in _FROM_LINE.finditer(data)]
    if not starts or starts[0][0] > 0:  # the first line need not be so regular: it stands where one must
        first = _FIRST_LINE.match(data)
        starts.insert(0, (0, first.end() if first else 0, first[0][5:] if first else b""))
    for number, (_, begin, envelope) in enumerate(starts, start=1):
        end = starts[number][0] if number < len(starts) else len(data)
        mail = data[begin:end].removesuffix(b"\n")
        if b">From " in mail:
            mail = _QUOTED_FROM.sub(rb"\1", mail)
        yield RawMail(mail, envelope.decode("utf-8", "replace").strip(), f"{place} mail {number}".lstrip())


def _plain(data: bytes) -> bytes:
    """Bytes without a byte order mark, in an encoding of single bytes, lines parted by a line feed alone."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            data = decoded(data).encode()
        except UnicodeDecodeError:
            data = data.decode("utf-16", "replace").encode()
    data = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    return data if b"\n" in data else data.replace(b"\r", b"\n")
