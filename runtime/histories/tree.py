"""The files of a folder, in an order that is the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from designsearch.runtime.histories.report import LoadReport

LOOKED_AT = 2000
"""Files at most that are looked at to find out what a folder holds."""


def files_of(folder: Path, report: LoadReport) -> list[Path]:
    """The files below a folder, sorted by path; hidden ones and links that lead out of it are left out and reported."""
    return sorted(_walk(folder, folder.resolve(), report), key=lambda path: path.relative_to(folder).parts)


def some_files(folder: Path) -> list[Path]:
    """The first files that are met below a folder, enough to find out what it holds."""
    return list(islice(_walk(folder, folder.resolve(), LoadReport()), LOOKED_AT))


def _walk(folder: Path, root: Path, report: LoadReport) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        report.note("folders that cannot be read, left out", f"{folder.name} ({error.strerror})")
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith("."):
            report.note("hidden files and folders, left out", entry.name)
        elif entry.is_symlink() and not _stays(path, root):
            report.note("links that lead out of the folder or to a folder, left out", entry.name)
        elif entry.is_dir():
            yield from _walk(path, root, report)
        elif entry.is_file():
            yield path
        else:
            report.note("what is neither file nor folder, left out", entry.name)


def _stays(link: Path, root: Path) -> bool:
    """Whether a link leads to a file of the same folder; one to a folder could go round in circles."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    return target.is_file() and target.is_relative_to(root)
