"""What of a record a question can ask for: the only span of its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass

from designsearch.runtime.models.offline.spans import Span, typed_spans
from designsearch.runtime.records import AnswerType
from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.offline.phrases import MOST_TEXT
from designsearch.search.supervision.source_days import day_of

_PERSON = re.compile(r"^(?:Dr|Mr|Mrs|Ms|Prof|Professor|Aunt|Uncle|Frau|Herr|Mme|M)\.?\s")
_PLACE = re.compile(r"\b(?:in|at|near|to)\s+(?:the\s+)?$", re.IGNORECASE)
_COMPANY = re.compile(r"\b(?:with|by|from|met|meet|saw|called|thanked|told|asked|joined)\s+$", re.IGNORECASE)

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


def answers_in(source: Source, *, careful: bool = True) -> list[Asked]:
    """The answers that a record holds.

    Args:
        source: the record.
        careful: whether only the one span of its kind counts, as others would be answers too.
    """
    by_kind: dict[str, list[Asked]] = {}
    text = source.text[:MOST_TEXT]
    for span in typed_spans(text, day_of(source)):
        found = _asked(span, text, source.author)
        if found is not None:
            by_kind.setdefault(found.kind, []).append(found)
    return [alike[0] for alike in by_kind.values() if not careful or len({one.value.casefold() for one in alike}) == 1]


def _asked(span: Span, text: str, author: str) -> Asked | None:
    place = (span.start, span.end)
    if span.kind == "name":
        if span.text.casefold() in author.casefold():
            return None
        kind = _kind_of_name(span, text)
        return Asked(kind, span.text, "text", place, WORDS[kind])
    if span.kind == "title":
        return Asked("title", span.value, "text", place, WORDS["title"])
    if span.kind == "time":
        return Asked("time", span.text, "text", place, WORDS["time"])
    if span.kind in ("money", "percent", "duration") or (span.kind == "number" and span.unit):
        value = f"{span.value} {span.unit}".strip()
        unit = span.unit if span.unit.endswith("s") or len(span.unit) < 3 else f"{span.unit}s"
        return Asked(span.kind, value, "number", place, WORDS[span.kind].replace("{unit}", unit))
    return None


def _kind_of_name(span: Span, text: str) -> str:
    before = text[max(0, span.start - 16) : span.start]
    if _PERSON.match(span.text) or _COMPANY.search(before):
        return "person"
    return "place" if _PLACE.search(before) else "name"
