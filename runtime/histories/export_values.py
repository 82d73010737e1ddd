"""Values of exports as they come: whatever is of a wrong type counts as not there."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import BadTimeError, parse_time


def string(value: Any) -> str:
    """The string that a value is; empty for any other."""
    return value if isinstance(value, str) else ""


def label(value: Any) -> str:
    """The id or name that a value is, without white space around it; empty for what is no string or whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return string(value).strip()


def mapping(value: Any) -> dict[str, Any]:
    """The object that a value is; an empty one for any other."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> Sequence[Any]:
    """The items of the array that a value is; none for any other."""
    return value if isinstance(value, list) else ()


def made_id(*parts: str) -> str:
    """An id made from content: 12 hexadecimal digits."""
    joined = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=6).hexdigest()


def stated_time(value: Any, place: str, report: LoadReport) -> str | None:
    """The time that an export states, in ISO 8601; ``None``, and a word of it, where there is none that can be read.

    Args:
        value: a number of seconds since 1970 (UTC), or a text.
        place: the record's id, for the report.
        report: gets what could not be read.
    """
    if value is None or value == "":
        report.note("messages without a time, left unknown", place)
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        report.note("times that cannot be read, taken as unknown", f"{place}: no text and no number")
        return None
    try:
        moment = parse_time(value)
    except (BadTimeError, OverflowError) as error:
        report.note("times that cannot be read, taken as unknown", f"{place}: {str(error)[:120]}")
        return None
    if moment.precision == "year":  # of seconds since 1970 these would be the first hours of that year
        report.note("times that cannot be read, taken as unknown", f"{place}: {value} is no time stamp")
        return None
    return moment.text


def earliest(times: Sequence[str | None]) -> float:
    """The instant of the earliest of some times, in seconds since 1970; infinite where none is known."""
    return min((parse_time(time).instant for time in times if time is not None), default=float("inf"))


class UniqueIds:
    """Gives each record an id of its own: the wanted one, or ``id~2``, ``id~3`` where it is taken.

    Args:
        report: gets the ids that were taken.
        what: what has them, as the report calls it.
    """

    def __init__(self, report: LoadReport, what: str = "records") -> None:
        self._report = report
        self._what = what
        self._taken: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """The wanted id, numbered and reported where another record has it."""
        name = wanted
        while name in self._taken:
            self._taken[wanted] += 1
            name = f"{wanted}~{self._taken[wanted]}"
        if name != wanted:
            self._report.note(f"ids that several {self._what} have, made unique", f"{wanted} -> {name}")
        self._taken[name] = 1
        return name


def nothing_read(path: Path, what: str, report: LoadReport) -> UserError:
    """The error for a source of which no message could be read, with all that was found in it."""
    return UserError("\n  ".join([f"{path}: no message of {what} was read, so nothing is imported", *report.lines()]))
