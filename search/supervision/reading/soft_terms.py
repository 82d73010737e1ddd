"""What a question, or a part of one, looks for: its telling words, their weights, and the times that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.models.offline.amounts import amounts_in
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.names import names_in
from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.words import FIRST_PERSON, SECOND_PERSON, STOP, stems_of, words_of
from designsearch.runtime.question_dates import EPOCH, Period, question_periods
from designsearch.search.supervision.reading.soft_words import Numbers, Scores, SoftWords

_SAYS = re.compile(
    r"\b(?:(?:did|does|has|had|that|when)\s+)?(?P<who>we|you|[^\W\d_a-z][\w.'’-]*(?:\s+[^\W\d_a-z][\w.'’-]*){0,3})\s+"
    r"(?:speak|speaks|spoke|spoken|talk|talks|talked|mention|mentions|mentioned|say|said|tell|told|write|wrote|report"
    r"|reported|describe|described|ask|asked|recommend|recommended)\b"
)

LONGEST = 2_000
"""Characters that are read."""
MOST_WORDS = 40
"""Words of a question that are looked for."""
NAME_WEIGHT = 1.2
FOCUS_WEIGHT = 0.5

TITLED = frozenset(
    "album articl book composit film game movi novel paint piec play podcast poem project screenplay script seri show "
    "song titl stori essay".split()
)
"""Stems of things that have a title, which stands in quotation marks."""

PAID = frozenset("pay paid pays cost costs price priced spend spent charge charged fee worth".split())
"""Words that an amount of money answers."""

FRAME = frozenset(
    (
        "date day dates days month months year years week weeks time times occasion occasions kind type sort name "
        "names many much long often old separate distinct total altogether specific according mention mentioned say "
        "said tell told which first last earlier later latest earliest sooner order order: passed between happen "
        "happened took place come came one thing things something someone somebody person people different records "
        "record lie lay whoever whatever whichever speak speaks speaking spoke spoken talk talks talking talked "
        "mentions mentioning connection together refer refers referred discuss discussed discussing title titles also "
        "recorded wrote written"
    ).split()
)
"""Words that say what is asked for, not what it is about."""


@dataclass(frozen=True)
class Terms:
    """What to look for.

    Attributes:
        words: casefolded, each once.
        numbers: theirs, shape (terms,).
        weights: what each tells, shape (terms,).
        names: which are parts of names, shape (terms,); those are looked for as they are.
        titled: which are a kind of thing that has a title, shape (terms,), if that is asked for.
        spoken: whether the text is about what somebody said.
        speaker: the name of who is said to have said it; empty where the text names nobody.
        periods: first and last day (counted from the year 1) and the relation of each time that is named.
    """

    words: tuple[str, ...]
    numbers: Numbers
    weights: Scores
    names: NDArray[np.bool_]
    titled: NDArray[np.bool_]
    spoken: bool
    speaker: frozenset[str]
    periods: tuple[tuple[int, int, str], ...]

    def __len__(self) -> int:
        """Number of words to look for."""
        return len(self.words)


def terms_of(text: str, soft: SoftWords, base: date | None, asked: Asked | None = None) -> Terms:
    """What a text looks for.

    Args:
        text: a question or a part of one.
        soft: knows the words.
        base: the day from which relative dates and missing years are completed.
        asked: the question's kind and the noun that it asks for, which tells less than its other words.
    """
    text = text[:LONGEST]
    dated = {word for span in dates_in(text, base) for word in words_of(span.text)}
    names = {word for start, end in names_in(text) for word in words_of(text[start:end])}
    skipped = STOP | FRAME | dated
    words = tuple(dict.fromkeys(word for word in words_of(text) if word not in skipped))[:MOST_WORDS]
    if asked is not None and asked.kind == "money":  # the amount itself says it
        words = tuple(word for word in words if word not in PAID) or words
    if asked is not None and asked.kind in ("money", "count", "duration"):
        words = tuple(word for word in words if not _is_measure(word)) or words
    numbers = soft.numbers(words)
    is_name = np.array([word in names and not _is_short_form(word, text) for word in words], bool)
    focus = asked.focus if asked is not None else ()
    in_focus = np.array([stem in focus for stem in stems_of(words)], bool) & ~is_name
    weights = soft.weights(numbers) * np.where(is_name, np.float32(NAME_WEIGHT), np.float32(1))
    weights = weights * np.where(in_focus, np.float32(FOCUS_WEIGHT), np.float32(1))
    titled = np.array([stem in TITLED for stem in stems_of(words)], bool) & in_focus
    return Terms(
        words,
        numbers,
        weights,
        is_name,
        titled,
        *_speaker(text),
        tuple(_ordinals(p) for p in question_periods(text, base)),
    )


def _is_short_form(word: str, text: str) -> bool:
    """Whether a word is written in capitals alone, as ``TV`` is, which has other words for it."""
    return len(word) < 5 and word.upper() in text and word.capitalize() not in text


def _speaker(text: str) -> tuple[bool, frozenset[str]]:
    """Whether it is about what somebody said, and the name of who did; an ``I`` may be anybody's."""
    said = _SAYS.search(text)
    return bool(said), frozenset(words_of(said["who"])) - FIRST_PERSON - SECOND_PERSON if said else frozenset()


def _is_measure(word: str) -> bool:
    """Whether a word is a unit of measure, which an amount has in whatever spelling."""
    return any(unit and end > 2 for _, _, end, _, unit in amounts_in(f"2 {word}"))


def _ordinals(period: Period) -> tuple[int, int, str]:
    return period.first + EPOCH, period.last + EPOCH, period.relation
