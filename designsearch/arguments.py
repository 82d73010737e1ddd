"""What a caller of the Python interface passes, checked: a wrong kind of value is told in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.jsonl import read_events
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.rows import kind_of
from designsearch.runtime.histories.times import BadTimeError, Moment, parse_time
from designsearch.runtime.records import Record


def wanted(name: str, what: str, value: Any) -> UserError:
    """The error for a value of the wrong kind."""
    return UserError(f"{name}: wants {what}, not {kind_of(value)}")


def question_of(value: Any) -> str:
    """A question in words.

    Raises:
        UserError: it is no text.
    """
    if not isinstance(value, str):
        raise wanted("question", "a text", value)
    return value


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """A whole number that is large enough.

    Raises:
        UserError: it is none, or too small.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise wanted(name, "a whole number", value)
    number = int(value)
    if number < least:
        raise UserError(f"{name}: must be at least {least}, not {number}")
    return number


def record_id(value: Any) -> str:
    """The id of a record; an integer is taken as its digits, as in a history.

    Raises:
        UserError: it is no id.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise wanted("record", "an id (a text or a whole number)", value)
    return str(value)


def moment(value: Any) -> Moment | None:
    """A time of asking, if there is one.

    Raises:
        UserError: it is no time.
    """
    if value is None:
        return None
    if not isinstance(value, str | int | float | date):
        raise wanted("as_of", "a time in ISO 8601", value)
    try:
        return parse_time(value.isoformat() if isinstance(value, date) else value)
    except BadTimeError as error:
        raise UserError(f"as_of: {error}") from None


def records_of(value: Any) -> list[Record]:
    """Records from objects or from plain values, in order.

    Raises:
        UserError: there are no records, or one has a mistake.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Record | Mapping | Iterable):
        raise wanted("records", "one record or several (mappings with `text`)", value)
    several = [value] if isinstance(value, Record | Mapping) else list(value)
    plain = [(n, _plain(one)) for n, one in enumerate(several, start=1) if not isinstance(one, Record)]
    made = iter(read_events(plain, Path("<records>"), LoadReport()))
    return [one if isinstance(one, Record) else next(made) for one in several]


def _plain(value: Any) -> Any:
    """A record's values as a history file would have them: dates in ISO 8601."""
    if not isinstance(value, Mapping):
        return value
    return {key: one.isoformat() if isinstance(one, date | datetime) else one for key, one in value.items()}
