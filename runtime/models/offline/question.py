"""What a question asks for: the kind of answer, the words to look for, the names, dates and alternatives in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from designsearch.runtime.models.offline.dates import DateSpan, dates_in
from designsearch.runtime.models.offline.names import names_in
from designsearch.runtime.models.offline.question_kinds import (
    AnswerKind,
    Grain,
    asking_clause,
    kind_of,
    options_of,
    without_courtesy,
)
from designsearch.runtime.models.offline.words import FIRST_PERSON, SECOND_PERSON, STOP, is_negated, stems_of, words_of


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read.

    Attributes:
        kind: what kind of answer it wants.
        grain: how exact a date should be, where a date is wanted.
        unit: the unit in which a stretch of time is wanted (``week``); empty where the question names none.
        several: whether it asks for more than one.
        doer: whether it asks who did something, rather than to whom it was done.
        latest: whether it asks for the last of something rather than the first.
        terms: stems to look for, each once, without the words that only frame the question.
        focus: stems of the noun asked for (``device`` in ``which device``).
        names: casefolded words of the names in it.
        dates: the dates in it.
        options: the alternatives of an ``A or B``.
        negated: whether it denies.
        first_person: whether the asker asks about themselves.
        second_person: whether it asks about the assistant that is asked (``you suggested``).
    """

    kind: AnswerKind
    grain: Grain
    unit: str
    several: bool
    doer: bool
    latest: bool
    terms: tuple[str, ...]
    focus: tuple[str, ...]
    names: frozenset[str]
    dates: tuple[DateSpan, ...]
    options: tuple[str, ...]
    negated: bool
    first_person: bool
    second_person: bool


_FOCUS = re.compile(
    r"(?:what|which|whose|how\s+many|how\s+much)\s+(?:(?:kind|type|sort|piece)s?\s+of\s+)?"
    r"(?P<noun>(?:[^\W\d_]+[\s-]+){1,4})",
    re.IGNORECASE,
)
_FRAME = frozenset(
    "date day month year week time times occasion occasions kind type sort name names many much long often old "
    "separate distinct total specific according mention mentioned say said tell told which".split()
)
_DOER = re.compile(
    r"who\s+(?!did|does|do|is|are|was|were|has|have|had|will|would|can|could|should|may|might)\w+", re.IGNORECASE
)
_LAST = re.compile(r"\b(?:last|later|latest|most\s+recent(?:ly)?)\b", re.IGNORECASE)
_UNIT = re.compile(r"how\s+many\s+(?P<unit>day|week|month|year)s\b", re.IGNORECASE)
_SEVERAL = re.compile(r"(?:who|whom|which|what)\s+(?:are|were|have|(?:\w+\s+){0,2}[a-z]{3,}(?<!s)s)\b", re.IGNORECASE)


def read_question(question: str, as_of: date | None) -> Asked:
    """Read a question; its relative dates count from ``as_of``."""
    text = without_courtesy(question)
    clause = asking_clause(text)
    options = options_of(text)
    kind, grain = kind_of(text, clause, options)
    dates = tuple(dates_in(text, as_of))
    words = words_of(text)
    framing = STOP | _FRAME | {w for d in dates for w in words_of(d.text)}
    unit = _UNIT.match(clause)
    return Asked(
        kind=kind,
        grain=grain,
        unit=unit["unit"].lower() if unit else "",
        several=bool(_SEVERAL.match(clause)),
        doer=bool(_DOER.match(clause)),
        latest=bool(_LAST.search(text)),
        terms=tuple(dict.fromkeys(stems_of([w for w in words if w not in framing]))),
        focus=_focus(clause),
        names=frozenset(w for start, end in names_in(text) for w in words_of(text[start:end])),
        dates=dates,
        options=options,
        negated=is_negated(words_of(clause)),
        first_person=not FIRST_PERSON.isdisjoint(words),
        second_person=not SECOND_PERSON.isdisjoint(words),
    )


def _focus(clause: str) -> tuple[str, ...]:
    match = _FOCUS.match(clause)
    if not match:
        return ()
    words = words_of(match["noun"])
    stop = next((i for i, w in enumerate(words) if w in STOP), len(words))
    return tuple(stems_of(words[:stop]))
