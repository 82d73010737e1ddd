"""The day on which a source was written, from which its relative dates count."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from designsearch.search.supervision.contracts import Source


def day_of(source: Source) -> date | None:
    """The day of a source; ``None`` where its time is unknown or less exact than a day."""
    return day_of_time(source.time)


def day_of_asking(as_of: str | None, sources: Iterable[Source]) -> date | None:
    """The day that a question counts from: its own, or the last of the sources where it is asked after everything."""
    return day_of_time(as_of) or max((day for one in sources if (day := day_of(one))), default=None)


@lru_cache(maxsize=65_536)
def day_of_time(time: str | None) -> date | None:
    """The day of an ISO 8601 time; ``None`` where there is none or it is less exact than a day."""
    try:
        return date.fromisoformat(time[:10]) if time and len(time) >= 10 else None
    except ValueError:
        return None
