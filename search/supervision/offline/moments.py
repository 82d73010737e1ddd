"""How people say when something was: roughly, exactly, or by what lies before and after."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKS = ("first", "second", "third", "fourth", "last")
_BY_NEIGHBOURS = 0.25
"""Share of the phrases that name other days than the day itself."""
_FAR = 9
"""Days to the days named instead, at most."""


def moment(day: date, chance: Random) -> str:
    """A phrase that opens a question about something of that day, as in ``In late June``."""
    if chance.random() < _BY_NEIGHBOURS:
        return _by_neighbours(day, chance)
    kind = chance.random()
    if kind < 0.4:
        return f"On {said(day)}"
    if kind < 0.6:
        return f"In {month_of(day)} {day.year}"
    if kind < 0.8:
        part = "early " if day.day <= 10 else "mid-" if day.day <= 20 else "late "
        return f"In {part}{month_of(day)}"
    return f"During the {_WEEKS[(day.day - 1) // 7]} week of {month_of(day)}"


def _by_neighbours(day: date, chance: Random) -> str:
    before = day - timedelta(days=chance.randint(1, _FAR))
    after = day + timedelta(days=chance.randint(1, _FAR))
    kind = chance.random()
    if kind < 0.35:
        return f"After {said(before)}"
    if kind < 0.7:
        return f"Before {said(after)}"
    return f"Between {said(before)} and {said(after)}"


def said(day: date) -> str:
    """Month and day."""
    return f"{month_of(day)} {day.day}"


def month_of(day: date) -> str:
    """The month's name."""
    return _MONTHS[day.month - 1]
