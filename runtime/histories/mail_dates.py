"""When a mail was sent, from the first of its dates that can have been."""

from __future__ import annotations

import re
from collections.abc import Iterable

from designsearch.runtime.histories.times import Moment, first_time

_CLOCK = r"(?P<clock>\d{1,2}:\d\d(?::\d\d)?)"
_ZONE = r"(?P<zone>[+-]\d{4}|[A-Za-z]{1,5})"
_DAY_FIRST = re.compile(
    rf"(?P<day>\d{{1,2}})[ -](?P<month>[A-Za-z]{{3,9}})\.?,?[ -](?P<year>\d{{4}}|\d\d)\b(?:,? +{_CLOCK}(?: *{_ZONE})?)?"
)
_MONTH_FIRST = re.compile(
    rf"(?P<month>[A-Za-z]{{3,9}})\.? +(?P<day>\d{{1,2}}),? +(?:{_CLOCK} +(?:{_ZONE} +)?)?(?P<year>\d{{4}})"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def mail_time(text: str) -> Moment | None:
    """The moment that a date of a mail names, in any of the forms that programs have written; ``None``: none at all."""
    plain = " ".join(text.split())
    return first_time(plain, _regular(plain))


def newest(received: Iterable[str]) -> Moment | None:
    """The latest moment in some ``Received`` headers, each of which ends in its date."""
    moments = [moment for text in received if (moment := mail_time(text.rpartition(";")[2])) is not None]
    return max(moments, key=lambda moment: moment.instant, default=None)


def _regular(text: str) -> str:
    """A date in the form that is understood; a year of two digits is one from 1970 to 2069."""
    found = _DAY_FIRST.search(text) or _MONTH_FIRST.search(text)
    if found is None or found["month"][:3].lower() not in _MONTHS:
        return ""
    month = _MONTHS.index(found["month"][:3].lower()) + 1
    year = found["year"] if len(found["year"]) == 4 else ("19" if found["year"] >= "70" else "20") + found["year"]
    if not found["clock"]:
        return f"{year}-{month:02d}-{int(found['day']):02d}"
    return f"{found['day']} {_MONTHS[month - 1].title()} {year} {found['clock']} {found['zone'] or ''}".strip()
