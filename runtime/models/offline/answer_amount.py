"""Answers that are numbers: counts, times, amounts of money."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.runtime.models.offline.nearby import nearby_spans
from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.support import Support
from designsearch.runtime.models.offline.words import stems_of, words_of

_NOUN_REACH = 40
"""Characters after a number in which the noun that it counts is looked for."""


def money(_: Asked, close: Sequence[Support]) -> str:
    """The amount said, with its unit."""
    found = nearby_spans(close, "money") or nearby_spans(close, "percent", "number")
    return found[0].text if found else ""


def count(asked: Asked, close: Sequence[Support]) -> str:
    """The number that stands before the noun asked for, else the nearest one, else how many things are told of."""
    numbers = [(s, n) for s in close for n in nearby_spans([s], "number", "percent", "duration") if n.unit != "time"]
    focus = set(asked.focus)
    for support, number in numbers:
        after = support.sentence.text[number.start : number.end + _NOUN_REACH]
        if focus & set(stems_of(words_of(after))[:4]):
            return number.value
    if numbers:
        return numbers[0][1].value
    items = {" ".join(stems_of(words_of(s.text))) for s in nearby_spans(close[:1], "item")}
    return str(len(items) or told_of(close))


def times(_: Asked, close: Sequence[Support]) -> str:
    """A number of times that is said, else how many days are told of."""
    said = [s for s in nearby_spans(close[:2], "number") if s.unit == "time"]
    return said[0].value if said else str(told_of(close))


def told_of(close: Sequence[Support]) -> int:
    """How many different days the sentences were written on; items where they show no day."""
    return len({s.sentence.day or s.sentence.item for s in close})
