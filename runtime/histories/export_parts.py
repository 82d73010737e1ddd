"""The files of an export: one file, a folder, or a ZIP archive whose members are read in memory and never unpacked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Self

from designsearch.dsl.problems import UserError
from designsearch.dsl.regular_file import open_file
from designsearch.runtime.histories.files import head_of, read_bytes
from designsearch.runtime.histories.json_head import HEAD_BYTES
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.tree import LOOKED_AT, files_of, some_files

MOST_BYTES = 1 << 31
"""Bytes that the members of an archive may have together once they are decompressed."""

_MOST_RATIO = 200
"""How many times smaller than its content a member may be; no export of text comes near."""

_SMALL = 1 << 24
"""Bytes below which the ratio does not matter."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
_NOT_OURS = ("__MACOSX",)


@dataclass(frozen=True, slots=True)
class Part:
    """One file of an export.

    Attributes:
        name: its path within the export, steps parted by ``/``.
        place: where it is, for people.
        head: reads the text at its head; empty where it cannot be read.
        data: reads all of it.
    """

    name: str
    place: Path
    head: Callable[[], str]
    data: Callable[[], bytes]

    @property
    def path(self) -> PurePosixPath:
        """The name as a path."""
        return PurePosixPath(self.name)


def is_zip(path: Path) -> bool:
    """Whether a path is an archive, by its name or its first bytes."""
    if not path.is_file():
        return False
    return path.suffix.lower() == ".zip" or _head_bytes(path, 4) == b"PK\x03\x04"


@contextmanager
def parts_of(path: Path, report: LoadReport) -> Iterator[list[Part]]:
    """The files of an export in order of name, for as long as the context lasts.

    Raises:
        UserError: an archive cannot be read.
    """
    if path.is_dir():
        yield [_file(file, file.relative_to(path).as_posix()) for file in files_of(path, report)]
    elif is_zip(path):
        with _Archive(path) as archive:
            yield archive.parts(report)
    else:
        yield [_file(path, path.name)]


@contextmanager
def some_parts(path: Path) -> Iterator[list[Part]]:
    """The first files of an export, enough to find out what it is; none where it cannot be read."""
    if path.is_dir():
        yield [_file(file, file.relative_to(path).as_posix()) for file in some_files(path)]
    elif is_zip(path):
        try:
            archive = _Archive(path)
        except UserError:
            yield []
            return
        with archive:
            yield archive.parts(LoadReport())[:LOOKED_AT]
    else:
        yield [_file(path, path.name)] if path.is_file() else []


def _file(path: Path, name: str) -> Part:
    return Part(name, path, lambda: head_of(_head_bytes(path, HEAD_BYTES)), partial(read_bytes, path))


def _head_bytes(path: Path, size: int) -> bytes:
    try:
        with open_file(path) as file:
            return file.read(size)
    except OSError:
        return b""


class _Archive:
    """An open archive, which counts what it has decompressed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = MOST_BYTES
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise UserError(f"{path}: is no ZIP file that can be read ({error})") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def parts(self, report: LoadReport) -> list[Part]:
        """The members, in order of name; what is hidden or leads out of the archive is left out and reported."""
        files = [one for one in self._zip.infolist() if not one.filename.endswith("/")]  # a broken one has no name
        kept = []
        for member in sorted(files, key=lambda member: member.filename):
            steps = PurePosixPath(member.filename.replace("\\", "/")).parts
            if ".." in steps or member.filename.startswith(("/", "\\")) or (steps and steps[0][1:] == ":"):
                report.note("members of the archive whose name leads out of it, left out", member.filename)
            elif not steps or any(step.startswith(".") or step in _NOT_OURS for step in steps):
                report.note("hidden files and folders, left out", member.filename)
            else:
                name = "/".join(steps)
                kept.append(Part(name, self._path / name, partial(self._head, member), partial(self._data, member)))
        return kept

    def _head(self, member: zipfile.ZipInfo) -> str:
        if member.compress_type not in _METHODS:
            return ""
        try:
            with self._zip.open(member) as file:
                return head_of(file.read(HEAD_BYTES))
        except _BROKEN:
            return ""

    def _data(self, member: zipfile.ZipInfo) -> bytes:
        place = self._path / member.filename
        if member.compress_type not in _METHODS:
            raise UserError(f"{place}: is compressed in a way that is not read; unpack the archive and name its folder")
        swollen = member.file_size > max(_SMALL, _MOST_RATIO * member.compress_size)
        if swollen or member.file_size > self._left:
            raise UserError(
                f"{place}: would take {member.file_size:,} bytes from {member.compress_size:,} in the archive, "
                f"more than is read (at most {MOST_BYTES:,} in all, {_MOST_RATIO} times the packed size); "
                "if you trust it, unpack the archive and name its folder"
            )
        self._left -= member.file_size
        try:
            with self._zip.open(member) as file:
                return file.read(member.file_size + 1)
        except _BROKEN as error:
            raise UserError(f"{place}: cannot be read from the archive ({error})") from None
