"""Dates and times at the head of the lines of a WhatsApp chat, in the forms of all locales.

Whether the day or the month comes first is no property of a line but of the file: a number above twelve tells, else the
order of the messages does, else it is ambiguous and said so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from designsearch.runtime.histories.day_periods import half_of_day, hour_of
from designsearch.runtime.histories.report import LoadReport

MARKS = "\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufeff"
"""Invisible marks of the direction of writing, as the inside of a class of a pattern."""

_M = f"[{MARKS}]*+"
_GAP = rf"[\s{MARKS}]"
_HEADER = re.compile(
    rf"{_M}\s?(?P<open>\[)?{_M}(?P<a>\d{{1,4}}){_M}\s?(?P<separator>[./\-年년]){_GAP}?(?P<b>\d{{1,2}}){_M}\s?[./\-月월]{_GAP}?"
    rf"(?P<c>\d{{1,4}})(?P<between>[^\d\[\]]{{1,24}}?)"
    rf"(?P<hour>\d{{1,2}}){_M}(?:[:.]|\s?h\s?){_M}(?P<minute>\d\d)(?:{_M}[:.](?P<second>\d\d))?"
    rf"(?P<tail>[^\d\[\]]{{0,24}}?)(?P<end>\]|{_GAP}+[-–—](?={_GAP}|$)|:(?=\s))(?P<rest>.*)",
    re.DOTALL,
)
_DIGITS = {(4, 1), (4, 2), (1, 2), (2, 2), (1, 4), (2, 4)}
"""How many digits the first and the last number of a date have; one of them is the year."""

_FIRST_YEAR, _LAST_YEAR = 2009, 2099
"""Years in which there are such chats: what a year of two digits may mean."""

_BUDDHIST = range(2400, 2700)
_OTHER_CALENDAR = range(1300, 1500)

_Order = Callable[[int, int, int], tuple[int, int, int]]
_ORDERS: dict[str, _Order] = {
    "day first": lambda a, b, c: (c, b, a),
    "month first": lambda a, b, c: (c, a, b),
    "year first": lambda a, b, c: (a, b, c),
}


@dataclass(frozen=True, slots=True)
class Stamp:
    """The date and time of a line as they are written.

    Attributes:
        date: the three numbers of the date.
        digits: how many digits each of them has.
        separator: what stands between them.
        hour, minute: of a 24-hour clock.
        second: ``None`` where none is given.
        american: whether it has the AM or PM of the United States.
        unknown: words beside the time that are not understood.
        style: what parts it from the message: ``]``, ``-`` or ``:``.
    """

    date: tuple[int, int, int]
    digits: tuple[int, int, int]
    separator: str
    hour: int
    minute: int
    second: int | None
    american: bool
    unknown: str
    style: str


def stamp_of(line: str) -> tuple[Stamp, str] | None:
    """The date and time at the head of a line, and the rest of it; ``None`` where it begins with none."""
    found = _HEADER.match(line)
    if found is None:
        return None
    style = found["end"][-1] if found["end"] in "]:" else "-"
    digits = (len(found["a"]), len(found["b"]), len(found["c"]))
    if (style == "]") != bool(found["open"]) or (digits[0], digits[2]) not in _DIGITS:
        return None
    before, behind = half_of_day(found["between"]), half_of_day(found["tail"])
    if style == ":" and not behind[1]:
        return None  # a date and a name, as in a note that somebody took
    unknown = [found[name] for name, half in (("between", before), ("tail", behind)) if not half[1]]
    stamp = Stamp(
        date=(int(found["a"]), int(found["b"]), int(found["c"])),
        digits=digits,
        separator=found["separator"],
        hour=hour_of(int(found["hour"]), behind[0] or before[0]),
        minute=int(found["minute"]),
        second=None if found["second"] is None else int(found["second"]),
        american=re.sub(_GAP, "", found["tail"]) in ("AM", "PM"),
        unknown=" ".join(unknown).strip(),
        style=style,
    )
    return stamp, found["rest"]


def local_times(stamps: Sequence[Stamp], report: LoadReport) -> list[str | None]:
    """The local times of the messages of one file, to the minute or second, in ISO 8601 without a zone.

    Args:
        stamps: of all messages, in order.
        report: gets how the dates were read where that is not certain, and those that cannot be.

    Returns:
        One for each; ``None`` where there can be no such time.
    """
    order = _ORDERS[_order(stamps, report)]
    for stamp in stamps:
        if stamp.unknown:
            report.note("words beside the time that are not understood, passed over", stamp.unknown)
    return [_text(stamp, _moment(stamp, order), report) for stamp in stamps]


def _text(stamp: Stamp, moment: datetime | None, report: LoadReport) -> str | None:
    shown = stamp.separator.join(map(str, stamp.date))
    if _BUDDHIST.start <= max(stamp.date) < _BUDDHIST.stop:
        report.note("years of the Buddhist calendar, 543 taken off", shown)
    if moment is None:
        report.note("dates and times that cannot be, or are of another calendar, taken as unknown", shown)
        return None
    return moment.isoformat(timespec="minutes" if stamp.second is None else "seconds")


def _moment(stamp: Stamp, order: _Order) -> datetime | None:
    """The date and time under an order of its numbers."""
    year, month, day = (_ORDERS["year first"] if stamp.digits[0] == 4 else order)(*stamp.date)
    if year < 100:
        year += 2000
    elif year in _BUDDHIST:
        year -= 543
    elif year in _OTHER_CALENDAR:
        return None
    try:
        return datetime(year, month, day, stamp.hour, stamp.minute, stamp.second or 0)  # noqa: DTZ001  a local time
    except ValueError:
        return None


def _order(stamps: Sequence[Stamp], report: LoadReport) -> str:
    """The order of day, month and year that fits a file."""
    open_ones = [stamp for stamp in stamps if stamp.digits[0] != 4]
    if not open_ones:
        return "year first"
    usual = [stamp for stamp in open_ones if stamp.digits[2] != 4]
    names = ["day first", "month first", *(["year first"] if len(usual) == len(open_ones) else [])]
    flaws = {name: _flaws(open_ones, _ORDERS[name]) for name in names}
    fewest = min(flaws.values())
    best = [name for name in names if flaws[name] == fewest]
    rivals = [name for name in best if name != "year first"]
    different = [stamp for stamp in open_ones if stamp.date[0] != stamp.date[1]]
    if len(rivals) < 2 or not different:
        order = (rivals or best)[0]
        if order != "year first" and different and flaws["day first"][0] == flaws["month first"][0]:
            report.note(f"dates whose order the order of the messages told: {order}", number=len(different))
        return order
    american = all(stamp.separator == "/" for stamp in open_ones) and any(stamp.american for stamp in open_ones)
    order = "month first" if american else "day first"
    shown = different[0].separator.join(map(str, different[0].date))
    report.note(f"dates that could be day first or month first, taken as {order}", shown, len(different))
    return order


def _flaws(stamps: Iterable[Stamp], order: _Order) -> tuple[int, int]:
    """What speaks against an order: dates that cannot be, and steps back in time."""
    moments = [_moment(stamp, order) for stamp in stamps]
    likely = [moment for moment in moments if moment is not None and _FIRST_YEAR <= moment.year <= _LAST_YEAR]
    back = sum(later < earlier for earlier, later in pairwise(likely))
    return len(moments) - len(likely), back
