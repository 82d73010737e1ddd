"""Histories in JSON, JSON lines or CSV of any shape, read by a map from our fields to the keys that hold them.

``text=body``, ``author=from.name``: a dotted path goes down into objects, a number in it into arrays. ``records=a.b``
says where in the document (or in each line) the array of records is. A field without an entry is looked for under its
own name; what nothing takes is kept in ``meta``. A row that is no record is left out and reported: it stops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import InvalidFileError, UserError, nearest
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.csv_rows import ENDS, heading, read_csv
from designsearch.runtime.histories.files import read_json, read_json_lines
from designsearch.runtime.histories.jsonl import KEYS, read_events
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record

RECORDS = "records"
"""The entry of a map that says where the records are."""

_TIMES = ("time", "known_at")
_MISSING = object()
_SHOWN_KEYS = 30


def parse_fields(entries: Sequence[str]) -> dict[str, str]:
    """A map as the command line gives it, ``FIELD=KEY`` each.

    Raises:
        UserError: an entry has no such form, names a field twice, or one that there is not.
    """
    fields: dict[str, str] = {}
    for entry in entries:
        field, equals, key = (part.strip() for part in entry.partition("="))
        if not (field and equals and key):
            raise UserError(f"--map {entry!r}: write FIELD=KEY, as in text=body")
        if field in fields:
            raise UserError(f"--map {entry!r}: {field} is mapped twice")
        fields[field] = key
    return fields


def load_mapped(path: Path, fields: Mapping[str, str]) -> Dataset:
    """The one history of a file, read by a map.

    Args:
        path: a file of JSON, JSON lines or CSV.
        fields: our field, or ``records``, to the path of the key that holds it.

    Raises:
        UserError: a field or key is not there (the keys of the first record are named), or the file has a mistake.
    """
    known = (*KEYS, RECORDS)
    for field in fields:
        if field not in known:
            hint = nearest(field, known)
            raise UserError(
                f"map {field}={fields[field]}: there is no field {field!r}"
                + (f"; {hint}" if hint else "")
                + f" (fields: {', '.join(known)})"
            )
    if path.is_dir():
        raise UserError(f"{path}: is a folder; a map reads one file of JSON, JSON lines or CSV")
    report = LoadReport()
    rows = list(_rows(path, fields.get(RECORDS, ""), report))
    wanted = {field: key for field, key in fields.items() if field != RECORDS}
    _check_keys(path, wanted, [row for _, row in rows])
    events = list(_events(rows, wanted, path, report))
    dataset = Dataset(path.stem, tuple(events), (), report)
    report.merge(dataset.log.report)
    return dataset


def _recognises(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in ENDS and "text" in heading(path)


@loader("csv", about="CSV with a heading that names `text` and other fields of events", recognises=_recognises)
def read_table(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of a CSV file, its columns named as our fields are."""
    return {path.stem: partial(load_mapped, path, {})}


def _rows(path: Path, where: str, report: LoadReport) -> Iterator[tuple[int, Any]]:
    """The rows of a file, each with its line or position."""
    if path.suffix.lower() in ENDS:
        if where:
            raise UserError(f"map {RECORDS}={where}: a CSV file has its records in rows; leave this entry out")
        yield from read_csv(path, report)
        return
    if path.suffix.lower() == ".json" and where:
        whole = read_json(path, report)
        values: Iterable[tuple[int, Any]] = enumerate(whole if isinstance(whole, list) else [whole], start=1)
    else:
        values = read_json_lines(path, report)
    if not where:
        yield from values
        return
    found = False
    for line, value in values:
        for item in _below(value, where.split(".")):
            found = True
            yield line, item
    if not found:
        raise UserError(f"{path}: map {RECORDS}={where}: there is no array of records under {where!r}")


def _below(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """The items of all arrays that a path leads to, through whatever arrays stand on the way."""
    if isinstance(value, list):
        for item in value:
            yield from _below(item, path) if path else (item,)
    elif path and isinstance(value, dict) and path[0] in value:
        yield from _below(value[path[0]], path[1:])


def _fetch(row: Any, path: str) -> Any:
    """What a path leads to; a key that holds a dot is tried whole first."""
    if isinstance(row, dict) and path in row:
        return row[path]
    for part in path.split("."):
        if isinstance(row, dict) and part in row:
            row = row[part]
        elif isinstance(row, list) and part.isdecimal() and int(part) < len(row):
            row = row[int(part)]
        else:
            return _MISSING
    return row


def _check_keys(path: Path, fields: Mapping[str, str], rows: Sequence[Any]) -> None:
    """Each key must be there in some record."""
    for field, key in fields.items():
        if rows and all(_fetch(row, key) is _MISSING for row in rows):
            keys = list(_paths(rows[0]))
            hint = nearest(key, keys)
            shown = ", ".join(keys[:_SHOWN_KEYS]) + (", ..." if len(keys) > _SHOWN_KEYS else "")
            raise UserError(
                f"{path}: map {field}={key}: no record has {key!r}"
                + (f"; {hint}" if hint else "")
                + f" (the first record has: {shown or 'no keys'})"
            )


def _paths(row: Any, above: str = "") -> Iterator[str]:
    """The keys of a record, those of objects in it as paths."""
    if isinstance(row, dict):
        for key, value in row.items():
            yield f"{above}{key}"
            yield from _paths(value, f"{above}{key}.")


def _events(
    rows: Sequence[tuple[int, Any]], fields: Mapping[str, str], path: Path, report: LoadReport
) -> Iterator[Record]:
    """The records of the rows."""
    for line, row in rows:
        value = _renamed(row, fields) if isinstance(row, dict) else row
        try:
            yield from read_events([(line, value)], path, report)
        except InvalidFileError as error:
            problem = error.problems[0]
            said = f"{problem.path}: {problem.message}" if problem.path else problem.message
            report.note("rows that are no records, left out", f"line {line}: {said}")


def _renamed(row: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """A row with our names for what the map names."""
    taken = set(fields.values())
    value = {key: item for key, item in row.items() if key not in taken and item not in ("", None)}
    for field, key in fields.items():
        if (item := _fetch(row, key)) is not _MISSING and item is not None:
            value[field] = _plain(item) if field == "text" else _readable(item) if field in _TIMES else item
    return value


def _readable(value: Any) -> Any:
    """A time as text or number; what is neither as text, which is kept in ``meta`` and reported."""
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    """The words of a message: a number as its digits, an array of texts as lines."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return value
