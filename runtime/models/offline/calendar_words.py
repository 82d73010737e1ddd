"""English words for days, months, seasons and small counts, and the arithmetic on calendar periods.

Weeks run from Monday to Sunday (ISO 8601). Seasons are the northern hemisphere's meteorological ones; the winter of a
year begins in its December.
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Literal

Precision = Literal["day", "week", "weekend", "part", "month", "season", "year", "range"]
Period = tuple[date, date, Precision, str]
"""First day, last day (inclusive), precision, and how it is said in words."""

MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
WEEKDAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)
SEASON = r"(?P<season>spring|summer|fall|autumn|winter)"
YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
COUNT = (
    r"(?P<count>\d{1,4}|an?\s+(?:couple|few)(?:\s+of)?|couple(?:\s+of)?|several|few|an?|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve)"
)
PART = r"(?P<part>early|mid|late|(?:the\s+)?(?:beginning|start|middle|end|first\s+week|last\s+week)\s+of)"

_SEASON_MONTHS = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}
_COUNT_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_FEW = (2, 5)
"""How many ``a few`` and ``several`` mean when a range of days is needed."""

_PARTS = {"early": (1, 10), "mid": (11, 20), "late": (21, 31), "first week of": (1, 7), "last week of": (25, 31)}
_PART_NAMES = {"beginning of": "early", "start of": "early", "middle of": "mid", "end of": "late"}


def month_number(word: str) -> int:
    """1 for ``Jan``, ``january`` and so on."""
    return [m.lower() for m in calendar.month_abbr].index(word[:3].lower())


def weekday_number(word: str) -> int:
    """0 for ``Mon``, ``monday`` and so on."""
    return [d.lower() for d in calendar.day_abbr].index(word[:3].lower())


def count_of(words: str) -> int | None:
    """The number that a count word means; ``None`` for the vague ones (``a few``, ``several``)."""
    said = " ".join(words.lower().split())
    if said.isdecimal():
        return int(said)
    if said.endswith(("few", "few of", "several")):
        return None
    if "couple" in said:
        return 2
    return _COUNT_WORDS.index(said) if said in _COUNT_WORDS else 1


def day_words(day: date) -> str:
    """``7 May 2023``."""
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def day_period(day: date) -> Period:
    """One day."""
    return day, day, "day", day_words(day)


def month_period(year: int, month: int) -> Period:
    """One calendar month."""
    last = calendar.monthrange(year, month)[1]
    return date(year, month, 1), date(year, month, last), "month", f"{calendar.month_name[month]} {year}"


def year_period(year: int) -> Period:
    """One calendar year."""
    return date(year, 1, 1), date(year, 12, 31), "year", f"{year:04d}"


def season_period(year: int, season: str) -> Period:
    """Three whole months, the first of them in that year."""
    first = date(year, _SEASON_MONTHS[season], 1)
    end_year, end_month = divmod(year * 12 + first.month + 1, 12)
    return first, month_period(end_year, end_month + 1)[1], "season", f"{season} {year}"


def part_period(part: str, whole: Period) -> Period:
    """An ``early``, ``mid`` or ``late`` part of a month; of anything longer the whole is kept."""
    said = " ".join(part.lower().split()).removeprefix("the ")
    name = _PART_NAMES.get(said, said)
    first, last, precision, words = whole
    if precision != "month":
        return first, last, "part", f"{name} {words}"
    low, high = _PARTS[name]
    start = last - timedelta(6) if name == "last week of" else first.replace(day=low)
    shown = f"the {name}" if name.endswith("of") else name
    return start, first.replace(day=min(high, last.day)), "part", f"{shown} {words}"


def shifted(anchor: date, unit: str, steps: int) -> Period:
    """The period of a kind that lies so many steps before (negative) or after an anchor day; 0 is the one around it.

    Args:
        anchor: the day to count from.
        unit: ``day``, ``week``, ``weekend``, ``month``, ``year`` or the name of a weekday.
        steps: how many, and in which direction.

    Raises:
        ValueError, OverflowError: the result lies outside the calendar (years 1 to 9999).
    """
    if unit == "day":
        return day_period(anchor + timedelta(steps))
    if unit == "month":
        year, month = divmod(anchor.year * 12 + anchor.month - 1 + steps, 12)
        return month_period(year, month + 1)
    if unit == "year":
        return year_period(anchor.year + steps)
    if unit == "week":
        first = anchor - timedelta(anchor.weekday()) + timedelta(7 * steps)
        return first, first + timedelta(6), "week", _anchored(anchor, unit, steps)
    if unit == "weekend":
        first = _nth_weekday(anchor, 5, steps, length=2)
        return first, first + timedelta(1), "weekend", _anchored(anchor, unit, steps)
    return day_period(_nth_weekday(anchor, weekday_number(unit), steps, length=1))


def vague(anchor: date, unit: str, direction: int) -> Period:
    """``a few days ago`` and its like: the days it may mean, said as ``a few days before 8 May 2023``."""
    near, far = (shifted(anchor, unit, direction * n) for n in _FEW)
    words = f"a few {unit}s {'before' if direction < 0 else 'after'} {day_words(anchor)}"
    return min(near[0], far[0]), max(near[1], far[1]), "range", words


def _nth_weekday(anchor: date, weekday: int, steps: int, length: int) -> date:
    """First day of the n-th run of days that lies wholly before or after the anchor; 0: in the anchor's own week."""
    in_week = anchor - timedelta(anchor.weekday()) + timedelta(weekday)
    if steps < 0:
        nearest = in_week if in_week + timedelta(length - 1) < anchor else in_week - timedelta(7)
        return nearest + timedelta(7 * (steps + 1))
    if steps > 0:
        nearest = in_week if in_week > anchor else in_week + timedelta(7)
        return nearest + timedelta(7 * (steps - 1))
    return in_week


def _anchored(anchor: date, unit: str, steps: int) -> str:
    if steps == 0:
        return f"the {unit} of {day_words(anchor)}"
    size = abs(steps)
    number = _COUNT_WORDS[size] if size < len(_COUNT_WORDS) else str(size)
    amount = f"the {unit}" if size == 1 else f"{number} {unit}s"
    return f"{amount} {'before' if steps < 0 else 'after'} {day_words(anchor)}"
