"""When a question was asked, as prompts show it."""

from __future__ import annotations

from designsearch.dsl.moments import Moment, day
from designsearch.runtime.records import NO_TIME


def day_of(seconds: int) -> str:
    """The date of local wall-clock seconds, as in ``2024-05-01``; empty where unknown."""
    return "" if seconds == NO_TIME else day(Moment(seconds))
