"""What of a record a question can ask for: the only span of its kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from designsearch.runtime.models.offline.spans import Span, typed_spans
from designsearch.runtime.records import AnswerType
from designsearch.search.metrics.typed import equal
from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.function_words import SPACELESS, is_common_verb, is_function
from designsearch.search.supervision.offline.readable import readable
from designsearch.search.supervision.offline.surroundings import Surroundings
from designsearch.search.supervision.source_days import day_of

_PERSON = re.compile(r"^(?:Dr|Mr|Mrs|Ms|Prof|Professor|Aunt|Uncle|Frau|Herr|Mme|M)\.?\s")
_PLACE = re.compile(r"\b(?:in|at|near|to)\s+(?:the\s+)?$", re.IGNORECASE)
_COMPANY = re.compile(r"\b(?:with|by|from|met|meet|saw|called|thanked|told|asked|joined)\s+$", re.IGNORECASE)
_CALLED_BEFORE = re.compile(
    r"(?:^|[.!?,;:]|\b(?:hi|hey|hello|dear|thanks|thank\s+you|bye|yes|yeah|no|wow|congrats|sorry|ok|okay))[\s,]*$",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"(?:[:;•*|>#)\]}\u2013\u2014]|^\s*[-\d.]+)\s*$", re.MULTILINE)
_NATION = re.compile(r"(?:ish|ese|ian|ean|ican)$")
_NOUN_AFTER = re.compile(r"\s+(?P<word>[^\W\d_A-Z][^\W\d_]{2,})")
_AROUND = 24
"""Characters before and after a name that are looked at."""

WORDS = {
    "person": "whom did {who} mention",
    "place": "which place did {who} mention",
    "name": "which name did {who} mention",
    "title": "which title did {who} mention",
    "money": "how much money did {who} mention",
    "percent": "what percentage did {who} mention",
    "duration": "how long a time did {who} mention",
    "number": "how many {unit} did {who} mention",
    "time": "what time of day did {who} mention",
}
"""How each kind of answer is asked for."""

UNITS: Mapping[str, str] = {
    "km": "kilometres", "mile": "miles", "m": "metres", "cm": "centimetres", "mm": "millimetres", "ft": "feet",
    "inch": "inches", "kg": "kilograms", "g": "grams", "mg": "milligrams", "lb": "pounds", "ml": "millilitres",
    "l": "litres", "\N{DEGREE SIGN}c": "degrees Celsius", "\N{DEGREE SIGN}f": "degrees Fahrenheit", "cup": "cups",
    "point": "points", "page": "pages",
}  # fmt: skip
"""What can be counted or measured; ``three times`` is no amount of anything."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer that a record holds.

    Attributes:
        kind: a key of :data:`WORDS`.
        value: as an answer says it.
        type: how it is compared.
        span: its place.
        words: the question's opening, with ``{who}``.
    """

    kind: str
    value: str
    type: AnswerType
    span: tuple[int, int]
    words: str

    def opening(self, who: str) -> str:
        """The question's beginning about the words of somebody, whose name may hold anything."""
        return self.words.replace("{who}", who)


def answers_in(source: Source, around: Surroundings, *, careful: bool = True) -> list[Asked]:
    """The answers that a record holds.

    Args:
        source: the record.
        around: the history, which tells names from other words.
        careful: whether only the one span of its kind counts, as others would be answers too.
    """
    by_kind: dict[str, list[Asked]] = {}
    text = readable(source.text)
    for span in _spans(text, day_of(source)):
        found = _asked(span, text, source.author, around)
        if found is not None:
            by_kind.setdefault(found.kind, []).append(found)
    return [alike[0] for alike in by_kind.values() if not careful or len({one.value.casefold() for one in alike}) == 1]


@lru_cache(maxsize=4096)
def _spans(text: str, base: date | None) -> tuple[Span, ...]:
    return tuple(typed_spans(text, base))


def _asked(span: Span, text: str, author: str, around: Surroundings) -> Asked | None:
    place = (span.start, span.end)
    if span.kind == "name":
        if not _is_name(span, text, around) or around.asker.is_speaker(span.text, author):
            return None
        kind = _kind_of_name(span, text)
        return Asked(kind, span.text, "text", place, WORDS[kind])
    if span.kind == "title" and not span.value[0].islower() and any(c.isalpha() for c in span.value):
        return Asked("title", span.value, "text", place, WORDS["title"])
    if span.kind == "time":
        return Asked("time", span.text, "text", place, WORDS["time"])
    if span.kind in ("money", "percent", "duration") or (span.kind == "number" and span.unit in UNITS):
        words = WORDS[span.kind].replace("{unit}", UNITS.get(span.unit, ""))
        return Asked(span.kind, _amount(span), "number", place, words)
    return None


def _amount(span: Span) -> str:
    """An amount in the record's own words where these are understood as the same."""
    value = f"{span.value} {span.unit}".strip()
    return span.text if equal(span.text, value, "number") else value


def _is_name(span: Span, text: str, around: Surroundings) -> bool:
    """Whether a capitalised run names something: not who is spoken to, not the beginning of a line, no adjective."""
    before, after = text[max(0, span.start - _AROUND) : span.start], text[span.end : span.end + _AROUND]
    if "\n" in span.text or SPACELESS.search(span.text) or _is_called(before, after):
        return False
    if " " in span.text:
        return True
    lowered = span.text.casefold()
    if len(lowered) < 2 or is_function(span.text) or is_common_verb(lowered) or around.is_word(span.text):
        return False
    if _BEGINS.search(before) and not any(c.isupper() or c.isdigit() for c in span.text[1:]):
        return False
    noun = _NOUN_AFTER.match(after)
    return not (noun and (span.text.isupper() or _NATION.search(lowered)) and not is_function(noun["word"]))


def _is_called(before: str, after: str) -> bool:
    """Whether a name is that of who is spoken to, as in ``Thanks, Ana!`` and ``Ana, are you there?``."""
    ends = re.match(r"\s*(?:[,!?.\u2014-]|$)", after)
    return bool(ends and _CALLED_BEFORE.search(before))


def _kind_of_name(span: Span, text: str) -> str:
    before = text[max(0, span.start - 16) : span.start]
    if _PERSON.match(span.text) or _COMPANY.search(before):
        return "person"
    return "place" if _PLACE.search(before) else "name"
