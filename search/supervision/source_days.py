"""The day on which a source was written, from which its relative dates count."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from designsearch.search.supervision.contracts import Source


def day_of(source: Source) -> date | None:
    """The day of a source; ``None`` where its time is unknown or less exact than a day."""
    return day_of_time(source.time)


@lru_cache(maxsize=65_536)
def day_of_time(time: str | None) -> date | None:
    """The day of an ISO 8601 time; ``None`` where there is none or it is less exact than a day."""
    try:
        return date.fromisoformat(time[:10]) if time and len(time) >= 10 else None
    except ValueError:
        return None
