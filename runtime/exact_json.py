"""JSON files of the program's own, such as weights: what histories are read with forbearance for is a mistake here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.files import TWICE, read_json, read_json_lines
from designsearch.runtime.histories.report import LoadReport


def read_exact_json(path: Path) -> Any:
    """The one JSON document of a file.

    Raises:
        UserError: it cannot be read, or an object in it has a key twice.
        InvalidFileError: it is not JSON; the line is named.
    """
    report = LoadReport()
    found = read_json(path, report)
    _check_once(str(path), report)
    return found


def read_exact_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The values of a file of JSON lines with their 1-based line numbers.

    Raises:
        UserError: it cannot be read, or an object in it has a key twice.
        InvalidFileError: a line is not JSON.
    """
    report = LoadReport()
    for number, value in read_json_lines(path, report):
        _check_once(f"{path}:{number}", report)
        yield number, value


def _check_once(place: str, report: LoadReport) -> None:
    twice = next((one for one in report.oddities if one.what == TWICE), None)
    if twice is not None:
        keys = ", ".join(twice.examples) or '""'
        raise UserError(f"{place}: key given twice in one object: {keys}; leave it there once")
