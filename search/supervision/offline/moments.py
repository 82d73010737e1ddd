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


def moment(day: date, chance: Random, *, years: bool = False) -> str:
    """A phrase that opens a question about something of that day, as in ``In late June``.

    Args:
        day: when it was.
        chance: chooses the phrase.
        years: whether days of several years are asked about, so that the phrase has to name the year.
    """
    if chance.random() < _BY_NEIGHBOURS:
        return _by_neighbours(day, chance, years)
    kind, year = chance.random(), f" {day.year}" if years else ""
    if kind < 0.4:
        return f"On {_dated(day, years)}"
    if kind < 0.6:
        return f"In {month_of(day)} {day.year}"
    if kind < 0.8:
        part = "early " if day.day <= 10 else "mid-" if day.day <= 20 else "late "
        return f"In {part}{month_of(day)}{year}"
    return f"During the {_WEEKS[(day.day - 1) // 7]} week of {month_of(day)}{year}"


def _by_neighbours(day: date, chance: Random, years: bool) -> str:
    before = day - timedelta(days=chance.randint(1, _FAR))
    after = day + timedelta(days=chance.randint(1, _FAR))
    kind = chance.random()
    if kind < 0.35:
        return f"After {_dated(before, years)}"
    if kind < 0.7:
        return f"Before {_dated(after, years)}"
    return f"Between {_dated(before, years)} and {_dated(after, years)}"


def _dated(day: date, years: bool) -> str:
    return f"{said(day)}, {day.year}" if years else said(day)


def said(day: date) -> str:
    """Month and day."""
    return f"{month_of(day)} {day.day}"


def month_of(day: date) -> str:
    """The month's name."""
    return _MONTHS[day.month - 1]
