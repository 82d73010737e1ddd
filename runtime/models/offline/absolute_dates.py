"""Dates said by day, month, season or year; those without a year are completed from the day they were said on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from designsearch.runtime.models.offline import calendar_words as cal
from designsearch.runtime.models.offline.date_rule import Rule, Said, rule_in

ABSOLUTE: list[Rule] = []
"""Rules that need no base day where the text gives the year."""

_CUE_BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|during|of|from|through|before|after|around|to|between|and|last|next|this"
    r"|early|mid|late|or)[\s-]+$",
    re.IGNORECASE,
)
_SOON = timedelta(45)
_LONG_AGO = timedelta(180)


def _completed(said: Said, make: Callable[[int], cal.Period]) -> cal.Period | None:
    """A period without a year: the next one where the sentence looks ahead, else the latest that has begun.

    One that is at most 45 days ahead wins over one that is more than 180 days past.
    """
    base = said.base
    if base is None:
        return None
    options = list(_each(make, range(base.year - 4, base.year + 5)))
    past = [p for p in options if p[0] <= base]
    ahead = [p for p in options if p[1] >= base]
    if not past or not ahead:
        return None
    soon = ahead[0][0] - base <= _SOON and base - past[-1][1] > _LONG_AGO
    return ahead[0] if soon or said.future() else past[-1]


def _each(make: Callable[[int], cal.Period], years: range) -> Iterator[cal.Period]:
    for year in years:
        try:
            yield make(year)
        except ValueError:  # 29 February, or a year outside the calendar
            continue


@rule_in(ABSOLUTE, r"(?<![\d-])(?P<year>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)")
def _iso_day(said: Said) -> cal.Period | None:
    return cal.day_period(date(int(said.get("year")), int(said.get("m")), int(said.get("day"))))


@rule_in(ABSOLUTE, r"(?<![\d-])(?P<year>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d-])")
def _iso_month(said: Said) -> cal.Period | None:
    return cal.month_period(int(said.get("year")), int(said.get("m")))


@rule_in(ABSOLUTE, r"(?<![\d/.])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<year>(?:19|20)\d\d)(?!\d)")
def _numeric_day(said: Said) -> cal.Period | None:
    first, second, year = int(said.get("a")), int(said.get("b")), int(said.get("year"))
    if first != second and max(first, second) <= 12:
        return None  # day first or month first: nothing tells
    month, day = (first, second) if second > 12 else (second, first)
    return cal.day_period(date(year, month, day))


def _month_day(said: Said) -> cal.Period | None:
    month, day = cal.month_number(said.get("month")), int(said.get("day"))
    if said.get("year"):
        return cal.day_period(date(int(said.get("year")), month, day))
    if said.get("month") == "may":
        return None  # "5 may leave"
    return _completed(said, lambda year: cal.day_period(date(year, month, day)))


rule_in(
    ABSOLUTE, rf"(?<![\d:.])\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s?(?:of\s+)?{cal.MONTH}(?:,?\s?(?:of\s+)?{cal.YEAR})?"
)(_month_day)
rule_in(ABSOLUTE, rf"\b{cal.MONTH}\s?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,?\s?{cal.YEAR})?")(_month_day)


@rule_in(
    ABSOLUTE,
    rf"\b(?:{cal.PART}[\s-]+(?:in\s+)?)?(?:(?P<which>last|next|this)\s+)?{cal.MONTH}(?:,?\s?(?:of\s+)?{cal.YEAR})?",
)
def _month(said: Said) -> cal.Period | None:
    word, which, base = said.get("month"), said.get("which").lower(), said.base
    month = cal.month_number(word)
    whole: cal.Period | None
    if said.get("year"):
        whole = cal.month_period(int(said.get("year")), month)
    elif base is None or not word[0].isupper() or not (which or said.get("part") or _is_month(said)):
        return None
    elif which == "next":
        whole = cal.month_period(base.year + (month <= base.month), month)
    elif which == "last":
        whole = cal.month_period(base.year - (month >= base.month), month)
    else:
        whole = _completed(said, lambda year: cal.month_period(year, month))
    return cal.part_period(said.get("part"), whole) if whole and said.get("part") else whole


def _is_month(said: Said) -> bool:
    """``May``, ``March`` and the short forms are names and verbs too: they need a preposition before them."""
    word = said.get("month").lower()
    start = said.match.start()
    return (len(word) > 3 and word != "march") or bool(
        _CUE_BEFORE_MONTH.search(said.match.string, max(0, start - 20), start)
    )


@rule_in(
    ABSOLUTE,
    rf"\b(?:{cal.PART}[\s-]+)?(?:(?P<which>last|next|this(?:\s+past)?)\s+)?{cal.SEASON}(?:,?\s+(?:of\s+)?{cal.YEAR})?\b",
)
def _season(said: Said) -> cal.Period | None:
    season, which, base = said.get("season").lower(), said.get("which").lower(), said.base
    if said.get("year"):
        return cal.season_period(int(said.get("year")), season)
    if base is None or not which:
        return None
    options = list(_each(lambda year: cal.season_period(year, season), range(base.year - 2, base.year + 3)))
    if which == "next":
        return next((p for p in options if p[0] > base), None)
    if which == "this":
        return next((p for p in options if p[1] >= base), None)
    return next((p for p in reversed(options) if p[1] < base), None)


@rule_in(
    ABSOLUTE,
    r"\b(?:in|since|until|till|by|during|from|of|before|after|year|back\s+in|around|and|to|through|early|late|mid)[\s-]+"
    r"(?P<span>(?P<year>(?:19|20)\d\d))\b(?![-/.,:%]\d|\s?%)",
)
def _year(said: Said) -> cal.Period | None:
    return cal.year_period(int(said.get("year")))
