"""Answers that are dates or stretches of time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from designsearch.runtime.models.offline import calendar_words as cal
from designsearch.runtime.models.offline.dates import DateSpan, dates_in
from designsearch.runtime.models.offline.nearby import distance, nearby_spans, word_places
from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.support import Support

_AGO = re.compile(rf"\b(?P<length>{cal.COUNT}\s+(?:day|week|month|year)s?)\s+ago\b", re.IGNORECASE)
_SINCE = re.compile(r"\bsince\s+(?:\w+\s+)?(?:19|20)\d\d\b", re.IGNORECASE)
_LASTING = re.compile(
    rf"\bfor\s+(?:about\s+|almost\s+|over\s+|around\s+)?{cal.COUNT}\s+(?P<unit>day|week|month|year)s?\b", re.IGNORECASE
)
_STARTS = frozenset({"start", "begin", "first", "get", "adopt", "take", "join"})


def when(asked: Asked, close: Sequence[Support]) -> str:
    """The date that the sentences say, resolved; else the day on which the best one was written.

    A sentence without a date may have it from the other sentences of its item.
    """
    if asked.grain == "time":
        return next((s.text for s in nearby_spans(close, "time")), "")
    best = close[0]
    same_item = [s for s in close if s.sentence.item == best.sentence.item]
    for support in [*same_item, *(s for s in close[:2] if s not in same_item)]:
        said = _nearest_date(asked, support) or _start_of_lasting(asked, support)
        if said:
            return said
    return _rounded(asked, cal.day_period(best.sentence.day)) if best.sentence.day else ""


def _nearest_date(asked: Asked, support: Support) -> str:
    """The date nearest to the question's words; the question's own dates do not count."""
    known = {(d.first, d.last) for d in asked.dates}
    found = [d for d in dates_in(support.sentence.text, support.sentence.day) if (d.first, d.last) not in known]
    if asked.grain == "day":
        found = [d for d in found if d.precision == "day"]
    places = word_places(support)
    nearest = min(found, key=lambda d: distance(d.start, places), default=None)
    return _rounded(asked, _period(nearest)) if nearest else ""


def _period(span: DateSpan) -> cal.Period:
    return span.first, span.last, span.precision, span.words


def _start_of_lasting(asked: Asked, support: Support) -> str:
    """When something began that is said to have gone on ``for four months now``."""
    lasting = _LASTING.search(support.sentence.text)
    if not lasting or not support.sentence.day or _STARTS.isdisjoint(asked.terms):
        return ""
    count = cal.count_of(lasting["count"])
    if not count or count > 200:
        return ""
    return _rounded(asked, cal.shifted(support.sentence.day, lasting["unit"].lower(), -count))


def _rounded(asked: Asked, period: cal.Period) -> str:
    """The period in words, no finer than the question asks."""
    first, last, _, words = period
    if asked.grain == "year":
        return f"{first.year}"
    if asked.grain == "month" and (last - first).days < 31:
        return cal.month_period(first.year, first.month)[3]
    return words


def duration(asked: Asked, close: Sequence[Support]) -> str:
    """How long something lasted or has been going on."""
    for support in close:
        said = nearby_spans([support], "duration")
        if said:
            return said[0].text
        since = _SINCE.search(support.sentence.text)
        if since:
            return since[0]
    return between(asked, close)


def ago(_: Asked, close: Sequence[Support]) -> str:
    """How long ago something happened, as the text says it."""
    return next((m[0] for s in close for m in [_AGO.search(s.sentence.text)] if m), "")


def between(asked: Asked, ranked: Sequence[Support]) -> str:
    """The time between the two best sentences that are dated differently, in the unit asked for."""
    days: list[date] = []
    for support in ranked:
        day = day_of(support)
        if day and day not in days:
            days.append(day)
    return _lapse(abs((days[0] - days[1]).days), asked.unit) if len(days) > 1 else ""


def _lapse(days: int, unit: str) -> str:
    """A number of days in a unit; without one in the largest that gives at least two."""
    sizes = {"year": 365.25, "month": 30.44, "week": 7.0, "day": 1.0}
    unit = unit or next((u for u, size in sizes.items() if days >= 2 * size), "day")
    count = round(days / sizes[unit])
    return f"{count} {unit}{'' if count == 1 else 's'}"


def day_of(support: Support) -> date | None:
    """The day that a sentence tells of: the first date in it, else the day it was written."""
    said = dates_in(support.sentence.text, support.sentence.day)
    return said[0].first if said else support.sentence.day
