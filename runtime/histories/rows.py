"""Rows of JSON lines: reading their fields, and saying what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import InvalidFileError, Problem, nearest
from designsearch.runtime.histories.report import LoadReport

_SHOWN_PROBLEMS = 20

DEEPEST = 64
"""Objects and arrays in one another that a value may have."""


class RowError(ValueError):
    """A wrong value in a row.

    Attributes:
        path: where in the row, as in ``refs[1]``; empty for the row itself.
        hint: what to do; empty where there is nothing to add.
    """

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.path, self.hint = path, hint


def raise_problems(path: Path, problems: Sequence[Problem]) -> None:
    """Report the mistakes of a file, if there are any.

    Raises:
        InvalidFileError: the first of them, and how many more there are.
    """
    shown = list(problems[:_SHOWN_PROBLEMS])
    if more := problems[_SHOWN_PROBLEMS:]:
        shown.append(Problem(str(path), more[0].line, 0, "", f"and {len(more)} more from here on"))
    if shown:
        raise InvalidFileError(shown)


def unknown_keys(value: dict[str, Any], known: tuple[str, ...], report: LoadReport) -> dict[str, Any]:
    """What a row holds under keys that we do not know; each such key is reported."""
    unknown = {key: item for key, item in value.items() if key not in known}
    for key in unknown:
        if not isinstance(key, str):
            raise RowError("", f"the key {key!r} is not a text")
        report.note(_unknown(key, known))
    return unknown


@lru_cache(maxsize=1024)
def _unknown(key: str, known: tuple[str, ...]) -> str:
    """What is said of an unknown key."""
    hint = nearest(key, known)
    return f"unknown key {key!r}, kept in meta" + (f" ({hint})" if hint else "")


def kind_of(value: Any) -> str:
    """What a value is, in JSON's words; of one that JSON does not have the name of its type."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a number"
    return names.get(type(value), f"a value of type {type(value).__name__}")


def check_depth(value: Any, path: str) -> None:
    """Check that objects and arrays do not stand in one another more often than all that reads them can follow."""
    inside, depth = [value], 0
    while inside := [item for one in inside for item in _items(one)]:
        depth += 1
        if depth > DEEPEST:
            raise RowError(path, f"is nested more than {DEEPEST} deep", "keep what matters nearer to the top")


def _items(value: Any) -> Iterable[Any]:
    """What stands in an object or an array; in anything else there is nothing."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def optional_text(value: dict[str, Any], key: str) -> str:
    """An optional string; a number is taken as its digits."""
    raw = value.get(key)
    if raw is None:
        return ""
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise RowError(key, f"must be a string, not {kind_of(raw)}")
    return str(raw)


def one_id(raw: Any, path: str) -> str:
    """An id: a string or an integer, not empty."""
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise RowError(path, f"must be a string or an integer, not {kind_of(raw)}")
    if raw == "":
        raise RowError(path, "must not be empty")
    return str(raw)


def ids(raw: Any, path: str) -> tuple[str, ...]:
    """A list of ids; a single one stands for a list of one."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        return (one_id(raw, path),)
    return tuple(one_id(item, f"{path}[{i}]") for i, item in enumerate(raw))


def choice(value: dict[str, Any], key: str, choices: tuple[str, ...], default: str) -> str:
    """One of a few words."""
    raw = value.get(key)
    if raw is None:
        return default
    if not isinstance(raw, str) or raw not in choices:
        hint = nearest(raw, choices) if isinstance(raw, str) else ""
        raise RowError(key, f"must be one of {', '.join(choices)}, not {raw!r}", hint)
    return raw
