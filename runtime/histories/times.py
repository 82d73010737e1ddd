"""When something happened, as precisely as its source says and never shifted.

A time keeps its own precision (a year, a month, a day, a minute, a second) and its own zone. The clock that people see
is the author's local one: `2024-05-15T00:30+08:00` lies on the 15th, wherever the program runs. A time without a zone
stays local: it is compared by its wall clock and never moved to another zone. A time that cannot exist is an error,
never "today".
"""

from __future__ import annotations

import math
import re
from calendar import isleap, monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Literal

Precision = Literal["year", "month", "day", "minute", "second"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SMALLEST_EPOCH = 1e8
"""Seconds: March 1973. A smaller number is no time stamp that any export writes; it is more likely a mistake."""
_EPOCH_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
"""Numbers below the first value of a pair are in units of which the second value make a second (1e11 s: year 5138)."""
_MAX_ZONE_MINUTES = 14 * 60

_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[Tt ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?"
    r"\s?(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?)?)?"
)
_BASIC_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)")
_SPOKEN = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)\s*(?P<half>[ap])\.?\s?m\.?,?\s+on\s+(?P<day>\d{1,2})\s+(?P<month>[a-z]+),?\s+(?P<year>\d{4})",
    re.IGNORECASE,
)
_MAIL = re.compile(
    r"(?:[a-z]{3,9},?\s+)?\d{1,2}\s+[a-z]{3,9}\s+\d{4}\s+\d{1,2}:\d\d(?P<seconds>:\d\d)?"
    r"(?:\s+(?P<zone>[+-]\d{4}|[a-z]{1,5}))?(?:\s*\([^)]*\))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{9,20}(?:\.\d+)?")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip


class BadTimeError(ValueError):
    """A value that is no time, or one that cannot exist; the message says which."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point or a period of time.

    Attributes:
        local: start of the period on the author's wall clock, whole seconds since 1970-01-01T00:00 of that clock.
        instant: start of the period in seconds since 1970-01-01T00:00Z; without a zone the wall clock itself, so that
            times without zones keep their order among each other.
        zoned: whether the source names a zone.
        precision: how long the period is.
        text: ISO 8601 with exactly that precision and zone.
    """

    local: int
    instant: float
    zoned: bool
    precision: Precision
    text: str

    @property
    def length(self) -> int:
        """Seconds that the period lasts (a year and a month by the calendar)."""
        if self.precision in ("second", "minute", "day"):
            return {"second": 1, "minute": 60, "day": 86_400}[self.precision]
        start = date(1970, 1, 1) + timedelta(seconds=self.local)
        if self.precision == "year":
            return 86_400 * (366 if isleap(start.year) else 365)
        return 86_400 * monthrange(start.year, start.month)[1]

    def known_by(self, as_of: Moment) -> bool:
        """Whether this is certainly no later than ``as_of``.

        Both periods count to their end: what happened "in March 2024" is known by the end of March, and a question
        asked "on 1 March" may use that whole day. Two zoned times are compared as instants, else by wall clocks.
        """
        if self.zoned and as_of.zoned:
            return self.instant + self.length <= as_of.instant + as_of.length
        return self.local + self.length <= as_of.local + as_of.length


def parse_time(value: str | float) -> Moment:
    """Read a time.

    Understood: ISO 8601 dates and times with the precision that they have, ``1:56 pm on 8 May, 2023``, the dates of
    e-mail headers (RFC 2822; the zone ``-0000`` means that it is unknown, so the time stays local), and time stamps
    in seconds, milliseconds, microseconds or nanoseconds since 1970 (told apart by their size, read as UTC).

    Args:
        value: the text, or a number.

    Returns:
        The moment.

    Raises:
        BadTimeError: it is no time that is understood, or one that cannot exist.
    """
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, bool):
        raise BadTimeError(f"{value!r} is no time")
    return _from_number(float(value), shown=value)


def first_time(*texts: str) -> Moment | None:
    """The moment of the first of some texts that is a time; ``None`` where none is."""
    for text in texts:
        try:
            if text:
                return parse_time(text)
        except BadTimeError:
            continue
    return None


@lru_cache(maxsize=131_072)
def _from_text(text: str) -> Moment:
    """The moment that a text names."""
    plain = " ".join(text.split())
    forms: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Moment]], ...] = (
        (_ISO, _from_iso),
        (_BASIC_DATE, _from_basic),
        (_NUMBER, lambda found: _from_number(float(found[0]), shown=found[0])),
        (_SPOKEN, _from_spoken),
        (_MAIL, _from_mail),
    )
    for pattern, read in forms:
        if found := pattern.fullmatch(plain):
            try:
                return read(found)
            except BadTimeError:
                raise
            except (ValueError, OverflowError) as error:
                raise BadTimeError(f"{text!r} cannot exist ({error})") from error
    raise BadTimeError(f"{text!r} is no time that is understood (write ISO 8601, as in 2024-03-01T09:30+02:00)")


def _moment(start: datetime, precision: Precision) -> Moment:
    """The moment of a datetime, naive or zoned."""
    local = int((start.replace(tzinfo=UTC, microsecond=0) - _EPOCH).total_seconds())
    offset = start.utcoffset()
    instant = local + start.microsecond / 1e6 - (offset.total_seconds() if offset is not None else 0.0)
    return Moment(local, instant, offset is not None, precision, _written(start, precision))


def _written(start: datetime, precision: Precision) -> str:
    """ISO 8601 with that precision; UTC is written ``Z``."""
    if precision in ("year", "month", "day"):
        return start.date().isoformat()[: {"year": 4, "month": 7, "day": 10}[precision]]
    text = start.isoformat(timespec="minutes" if precision == "minute" else "auto")
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def _from_iso(found: re.Match[str]) -> Moment:
    """A date or a time in ISO 8601."""
    part = found.groupdict()
    if part["month"] is None:
        return _moment(datetime(int(part["year"]), 1, 1), "year")  # noqa: DTZ001  a local time has no zone
    if part["day"] is None:
        return _moment(datetime(int(part["year"]), int(part["month"]), 1), "month")  # noqa: DTZ001
    day = (int(part["year"]), int(part["month"]), int(part["day"]))
    if part["hour"] is None:
        return _moment(datetime(*day), "day")  # noqa: DTZ001
    clock = (int(part["hour"]), int(part["minute"]), int(part["second"] or 0))
    micro = int((part["fraction"] or "0")[:6].ljust(6, "0"))
    start = datetime(*day, *clock, micro, tzinfo=_zone(part["zone"]))
    return _moment(start, "minute" if part["second"] is None else "second")


def _zone(text: str | None) -> timezone | None:
    """The zone of ``Z``, ``+02:00``, ``+0200`` or ``+02``; ``-00:00`` says that the zone is unknown (RFC 3339)."""
    if text is None or text.replace(":", "") in ("-0000", "-00"):
        return None
    if text in "Zz":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    if int(digits[2:]) > 59 or minutes > _MAX_ZONE_MINUTES:
        raise ValueError(f"no zone is {text}")
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _from_basic(found: re.Match[str]) -> Moment:
    """A date without hyphens, ``20240301``."""
    return _moment(datetime(int(found[1]), int(found[2]), int(found[3])), "day")  # noqa: DTZ001


def _from_spoken(found: re.Match[str]) -> Moment:
    """``1:56 pm on 8 May, 2023``."""
    hour = int(found["hour"])
    if not 1 <= hour <= 12:
        raise ValueError(f"a twelve-hour clock has no hour {hour}")
    month = next((i for i, name in enumerate(_MONTHS, 1) if name.startswith(found["month"].lower())), 0)
    if not month or len(found["month"]) < 3:
        raise ValueError(f"no month is called {found['month']}")
    hour = hour % 12 + (12 if found["half"] in "pP" else 0)
    day = (int(found["year"]), month, int(found["day"]))
    return _moment(datetime(*day, hour, int(found["minute"])), "minute")  # noqa: DTZ001


def _from_mail(found: re.Match[str]) -> Moment:
    """The date of an e-mail header."""
    start = parsedate_to_datetime(found[0])
    return _moment(start, "minute" if found["seconds"] is None else "second")


def _from_number(value: float, shown: object) -> Moment:
    """A time stamp since 1970 in UTC, or a year."""
    if math.isfinite(value) and value.is_integer() and 1000 <= value <= 9999:
        return _moment(datetime(int(value), 1, 1), "year")  # noqa: DTZ001
    if not math.isfinite(value) or not _SMALLEST_EPOCH <= value < _EPOCH_UNITS[-1][0]:
        raise BadTimeError(f"{shown} is neither a year nor a time stamp since 1970")
    per_second = next(unit for limit, unit in _EPOCH_UNITS if value < limit)
    return _moment(_EPOCH + timedelta(microseconds=round(value / per_second * 1e6)), "second")
