"""What in one sentence answers a question: a date, a number, or words, nearest to what the question says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.models.offline.answer_name import where, who
from designsearch.runtime.models.offline.answer_time import when
from designsearch.runtime.models.offline.nearby import distance
from designsearch.runtime.models.offline.phrase import best_phrase
from designsearch.runtime.models.offline.reading import Sentence
from designsearch.runtime.models.offline.spans import Kind, Span
from designsearch.runtime.models.offline.support import Support
from designsearch.runtime.models.offline.words import STOP, WORD, stems_of, words_of
from designsearch.search.supervision.reading.blind_question import Question
from designsearch.search.supervision.reading.soft_terms import TITLED
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.reading.sources import Line

SAID = 0.45
"""Similarity from which a word of the sentence says a word of the question."""
REACH = 40.0
"""Characters over which nearness halves."""
FOCUS = 1.5
"""What likeness to the noun asked for counts against nearness."""

_MEASURED = frozenset({"money", "percent", "duration"})
_NAMED = re.compile(r"\b(?:which|what)\s+(?P<what>name|title|place)\b|\bwhom\b", re.IGNORECASE)
_GRAINS = {"month": 7, "year": 4}
"""How much of an ISO date is as exact as the question."""
_PERCENT = re.compile(r"\bpercent(?:age)?s?\b|%", re.IGNORECASE)
_AWAY = re.compile(r"\b(?:in|at|near|to|from|into|around|across|on|through)\s+(?:the\s+)?$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:the|an?|my|our|his|her|their|some)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """A sentence beside a question.

    Attributes:
        line: the sentence.
        author: who says it.
        support: as the offline answerer's rules take it.
        anchors: characters at which words of the question are said.
        said: stems of those words.
    """

    line: Line
    author: str
    support: Support
    anchors: tuple[int, ...]
    said: frozenset[str]


def place(line: Line, author: str, question: Question, soft: SoftWords, score: float) -> Place:
    """Find where in a sentence the question's words are said."""
    words = line.words
    stems = stems_of(words)
    held = soft.numbers(words)
    near = (
        soft.similarity(question.terms.numbers, held)
        if len(words) and len(question.terms)
        else np.zeros((1, len(words)))
    )
    says = (near.max(axis=0) >= SAID) & np.array([word not in STOP for word in words], bool)
    said = frozenset(stem for stem, does in zip(stems, says.tolist(), strict=True) if does)
    found = [match.start() for match in WORD.finditer(line.text)]
    anchors = (
        tuple(at for at, does in zip(found, says.tolist(), strict=True) if does) if len(found) == len(words) else ()
    )
    sentence = Sentence(line.text, 0, author, line.day)
    support = Support(sentence, words, stems, said, frozenset(), len(said), fits_person=True, score=score)
    return Place(line, author, support, anchors, said)


def date_in(spot: Place, question: Question) -> str:
    """The date that the sentence says, as exact as the question wants; else the day on which it was written."""
    if question.terms.spoken:  # when it was said, not when what was said happened
        return spot.line.day.isoformat()[: _GRAINS.get(question.asked.grain, 10)] if spot.line.day else ""
    named = {(first, last) for first, last, _ in question.terms.periods}
    grain = question.asked.grain
    found = [d for d in spot.line.dates if (d.first.toordinal(), d.last.toordinal()) not in named]
    found = [
        d for d in found if d.precision == "day" or d.precision == grain or (grain == "any" and d.precision == "month")
    ]
    nearest = min(found, key=lambda d: distance(d.start, spot.anchors), default=None)
    iso = nearest.iso if nearest else spot.line.day.isoformat() if spot.line.day else ""
    return iso[: _GRAINS.get(grain, 10)]


def date_words_in(spot: Place, question: Question) -> str:
    """The date in words, where a text is wanted."""
    return when(question.asked, [spot.support])


def number_in(spot: Place, question: Question, soft: SoftWords) -> str:
    """The number that counts or measures what is asked for, with its unit where it is a measure."""
    kind = question.asked.kind
    wanted: tuple[Kind, ...] = ("money", "percent", "duration", "number")
    spans = [s for s in spot.line.spans if s.kind in wanted and s.unit != "time"]
    kinds = {"money": ("money",), "duration": ("duration",)}.get(kind, ())
    kinds = ("percent",) if _PERCENT.search(question.text) else kinds
    spans = [s for s in spans if s.kind in kinds] or [s for s in spans if not kinds or s.kind == "number"]
    best = max(spans, key=lambda s: (_nearness(s, spot) + _counts(s, spot, question, soft), -s.start), default=None)
    if best is None:
        return ""
    return (
        f"{best.value} {best.unit}"
        if best.unit and (best.kind in _MEASURED or best.unit not in ("", "time"))
        else best.value
    )


def words_in(spot: Place, question: Question, soft: SoftWords, known: frozenset[str]) -> str:
    """The words that answer: a person, a place, a title, a name or the phrase nearest to the question's words.

    Args:
        spot: the sentence.
        question: the question.
        soft: knows the words.
        known: stems of words that cannot answer, beside the question's own.
    """
    asked = question.asked
    named = _NAMED.search(question.text)
    if named:
        return _named(spot, question, known, (named["what"] or "person").lower())
    if asked.kind == "who":
        return _checked(_person(spot, question, known) or who(asked, [spot.support]), known)
    if asked.kind == "where":
        return _checked(_LEADING.sub("", where(asked, [spot.support])), known)
    spans = [s for s in spot.line.spans if s.kind in ("title", "name", "item") and _is_new(s.value, spot, known)]
    if TITLED & set(asked.focus):
        spans = [s for s in spans if s.kind == "title"] or spans
    if asked.focus and spans:
        return max(
            spans, key=lambda s: (_nearness(s, spot) + FOCUS * _like(s, question, soft) + (s.kind == "title"), -s.start)
        ).value
    titles = [s for s in spans if s.kind == "title"]
    if titles:
        return titles[0].value
    return _checked(best_phrase(spot.support), known)


def _named(spot: Place, question: Question, known: frozenset[str], what: str) -> str:
    """The name or title nearest to the question's words; neither one that it has itself, nor the author's.

    A place is rather a name after ``in`` or ``at``, a person rather one that is not.
    """
    kind = "title" if what == "title" else "name"
    own = question.asked.names | set(words_of(spot.author))
    spans = [s for s in spot.line.spans if s.kind == kind and own.isdisjoint(words_of(s.value))]
    spans = [s for s in spans if not set(stems_of(words_of(s.value))) <= known]
    if what in ("place", "person"):
        fits = [s for s in spans if _is_away(s, spot) == (what == "place")]
        spans = fits or spans
    best = max(spans, key=lambda s: (_nearness(s, spot), -s.start), default=None)
    return best.value if best else ""


def items_in(spot: Place, known: frozenset[str]) -> list[str]:
    """The entries of an enumeration in the sentence, without what the question says itself."""
    found = [s.value for s in spot.line.spans if s.kind == "item" and _is_new(s.value, spot, known)]
    return list(dict.fromkeys(_LEADING.sub("", item) for item in found))


def _person(spot: Place, question: Question, known: frozenset[str]) -> str:
    names = [s for s in spot.line.spans if s.kind == "name" and _is_new(s.value, spot, known)]
    names = [s for s in names if not set(words_of(s.value)) & (question.asked.names | set(words_of(spot.author)))]
    people = [s for s in names if not _is_away(s, spot)]
    best = max(people or names, key=lambda s: (_nearness(s, spot), -s.start), default=None)
    return best.value if best else ""


def _is_away(span: Span, spot: Place) -> bool:
    """Whether a name stands after a preposition of place."""
    return bool(_AWAY.search(spot.line.text[max(0, span.start - 14) : span.start]))


def _is_new(text: str, spot: Place, known: frozenset[str]) -> bool:
    stems = set(stems_of(words_of(text)))
    return bool(stems) and not stems <= (spot.said | known | STOP)


def _checked(text: str, known: frozenset[str]) -> str:
    return "" if set(stems_of(words_of(text))) <= known else text


def _nearness(span: Span, spot: Place) -> float:
    return 1.0 / (1.0 + min(distance(span.start, spot.anchors), distance(span.end, spot.anchors)) / REACH)


def _counts(span: Span, spot: Place, question: Question, soft: SoftWords) -> float:
    """How much the word after a number is like the noun asked for."""
    after = [word for word in words_of(spot.line.text[span.end : span.end + 40])[:3] if word not in STOP]
    focus = [word for word in question.terms.words if stems_of([word])[0] in question.asked.focus]
    return FOCUS * _likeness(focus, after, soft)


def _like(span: Span, question: Question, soft: SoftWords) -> float:
    focus = [word for word in question.terms.words if stems_of([word])[0] in question.asked.focus]
    return _likeness(focus, words_of(span.value)[:6], soft)


def _likeness(a: Sequence[str], b: Sequence[str], soft: SoftWords) -> float:
    return float(soft.similarity(soft.numbers(a), soft.numbers(b)).max()) if a and b else 0.0
