"""Records as prompts show them: who said what, and when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from designsearch.runtime.records import History

_DAY = len("2024-03-01")
_MINUTE = len("2024-03-01T09:30")


def message(history: History, row: int, text: str | None = None) -> str:
    """A record with its time and author in a line before it; all of it is data.

    Args:
        history: the history.
        row: the record.
        text: what is shown of it, or was made of it; its whole text where not given.
    """
    said = history.texts[row] if text is None else text
    head = ", ".join(part for part in (_when(history.time_texts[row]), _who(history, row)) if part)
    return f"{head}: {said}" if head else said


def messages(history: History, rows: Iterable[int]) -> list[str]:
    """Records in that order."""
    return [message(history, row) for row in rows]


def _who(history: History, row: int) -> str:
    author, role = history.authors[row], history.roles[row]
    return f"{author} ({role})" if author and role and author != role else author or role


def _when(time: str) -> str:
    """A time to the minute at most, with the day of the week, which relative dates are worked out from."""
    try:
        weekday = f"{date.fromisoformat(time[:_DAY]):%A} " if len(time) >= _DAY else ""
    except ValueError:
        weekday = ""
    return weekday + time[:_MINUTE].replace("T", " ")
