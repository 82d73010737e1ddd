"""Dates said from another day: ``yesterday``, ``two weeks ago``, ``the Friday before 15 July 2023``."""

from __future__ import annotations

import re
from datetime import date

from designsearch.runtime.models.offline import calendar_words as cal
from designsearch.runtime.models.offline.date_rule import Rule, Said, rule_in

RELATIVE: list[Rule] = []
"""Rules that mean nothing without a base day."""

_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip


@rule_in(
    RELATIVE,
    r"\b(?:the\s+)?(?P<word>day\s+before\s+yesterday|day\s+after\s+tomorrow|yesterday|tomorrow|today|tonight"
    r"|last\s+night|this\s+(?:morning|afternoon|evening))\b",
)
def _near_day(said: Said) -> cal.Period | None:
    return cal.shifted(said.base, "day", _DAYS[" ".join(said.get("word").lower().split())]) if said.base else None


@rule_in(RELATIVE, rf"\b{cal.COUNT}\s+(?P<unit>day|week|weekend|month|year)s?\s+(?P<way>ago|from\s+now|earlier)\b")
def _ago(said: Said) -> cal.Period | None:
    return _counted(said, 1 if "from" in said.get("way").lower() else -1)


@rule_in(RELATIVE, rf"\bin\s+{cal.COUNT}\s+(?P<unit>day|week|month|year)s?\b(?:['’]s?\s+time\b)?")
def _in_future(said: Said) -> cal.Period | None:
    return _counted(said, 1) if said.future() else None  # else a duration: "finished in two weeks"


def _counted(said: Said, direction: int) -> cal.Period | None:
    if said.base is None:
        return None
    count = cal.count_of(said.get("count"))
    unit = said.get("unit").lower()
    return cal.vague(said.base, unit, direction) if count is None else cal.shifted(said.base, unit, direction * count)


_STEPS = {"last": -1, "previous": -1, "past": -1, "this past": -1, "this": 0, "next": 1, "coming": 1, "this coming": 1}


@rule_in(
    RELATIVE,
    rf"\b(?<!the\s)(?:(?:{cal.PART}|earlier|later)[\s-]+)?(?P<which>last|previous|this\s+past|past(?=\s+weekend)|this|next"
    r"|this\s+coming|coming)\s+(?P<unit>week|weekend|month|year)\b(?!['’]s\s+\w+\s+(?:week|month|year))",
)
def _near_period(said: Said) -> cal.Period | None:
    if said.base is None:
        return None
    steps = _STEPS[" ".join(said.get("which").lower().split())]
    unit = said.get("unit").lower()
    whole = cal.shifted(said.base, unit, steps)
    return cal.part_period(said.get("part"), whole) if said.get("part") and unit == "month" else whole


@rule_in(
    RELATIVE,
    rf"\b(?<!every\s)(?<!each\s)(?:(?P<which>last|previous|this\s+past|past|this|next|this\s+coming|coming|on)\s+)?"
    rf"(?P<weekday>{cal.WEEKDAY})\b\.?(?:\s+(?:morning|afternoon|evening|night))?",
)
def _weekday(said: Said) -> cal.Period | None:
    which, word = " ".join(said.get("which").lower().split()), said.get("weekday")
    if said.base is None or not word[0].isupper() or (len(word) < 6 and which in ("", "on")):
        return None  # "Sun", "Sat", "Wed" alone are words and names too
    if which in ("", "on", "this"):
        same = said.base.weekday() == cal.weekday_number(word)
        steps = 0 if same else (1 if said.future() or which == "this" else -1)
    else:
        steps = _STEPS[which]
    return cal.shifted(said.base, word, steps)


@rule_in(
    RELATIVE,
    r"\bon\s+(?P<span>the\s+(?P<day>\d{1,2})(?:st|nd|rd|th))\b(?!\s+(?:floor|birthday|anniversary|street|try|day)\b)",
)
def _day_of_month(said: Said) -> cal.Period | None:
    if said.base is None:
        return None
    steps = range(3) if said.future() else range(0, -3, -1)
    for step in steps:
        first = cal.shifted(said.base, "month", step)[0]
        try:
            found = first.replace(day=int(said.get("day")))
        except ValueError:
            continue
        if (found >= said.base) if step > 0 or said.future() else (found <= said.base):
            return cal.day_period(found)
    return None


ANCHOR = re.compile(
    rf"(?:\bthe\s+|\b{cal.COUNT}\s+)?\b(?P<unit>day|weekend|week|month|year|{cal.WEEKDAY})s?\s+"
    r"(?P<way>before|after|of|following|preceding|prior\s+to)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""What stands before a full date in ``two weekends before 17 July 2023``; it ends where the date begins."""


def anchored(match: re.Match[str], anchor: date) -> cal.Period:
    """The period that an :data:`ANCHOR` before a date means."""
    way, unit = match["way"].lower(), match["unit"].lower()
    direction = {"of": 0, "after": 1, "following": 1}.get(way, -1)
    count = cal.count_of(match["count"]) if match["count"] else 1
    return cal.vague(anchor, unit, direction or -1) if count is None else cal.shifted(anchor, unit, direction * count)
