"""What a text is about: its runs of content words, without the verbs and fillers at their ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from designsearch.runtime.models.offline.words import is_verb_form
from designsearch.search.supervision.offline.function_words import is_common_verb, is_english, is_function
from designsearch.search.supervision.offline.readable import readable

LONGEST = 4
"""Words of a phrase."""

_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\w)[^.!?\n]*)*[.!?]*")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_VAGUE = frozenset(
    "thing things bit lot way ways time times day days moment moments kind sort feeling feelings something anything "
    "everything nothing everyone someone anyone people person today tonight yesterday tomorrow morning afternoon "
    "evening night week weekend month year really quite actually honestly especially truly pretty good great nice "
    "best better well much little always never maybe perhaps still back new old whole entire right start help look "
    "going went go gone gotten make made making keep kept keeping take took taking come came coming think thought know "
    "knew say said saying want wanted need needed try tried trying seem seemed looked looking found find feel felt "
    "image photo picture pic hey dollar dollars euro euros percent weeks months years hours minutes hour minute last "
    "next first second somebody others thinking talk talking lots various different".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A run of content words.

    Attributes:
        words: as they are written.
        start, end: characters of the text.
        sentence: characters of the sentence around it.
    """

    words: tuple[str, ...]
    start: int
    end: int
    sentence: tuple[int, int]

    @property
    def text(self) -> str:
        """Its words with single spaces."""
        return " ".join(self.words)


@lru_cache(maxsize=4096)
def phrases_in(text: str) -> tuple[Phrase, ...]:
    """The phrases of a text in order of place; sentences that ask and what is not read are left out."""
    read = readable(text)
    english = is_english(read)
    return tuple(
        phrase
        for sentence in _SENTENCE.finditer(read)
        if not sentence[0].rstrip("\"'”’) ").endswith("?")
        for phrase in _of_sentence(read, *sentence.span(), english)
    )


def _of_sentence(text: str, start: int, end: int, english: bool) -> Iterator[Phrase]:
    run: list[re.Match[str]] = []
    last = start
    for word in _WORD.finditer(text, start, end):
        function = is_function(word[0], english=english)
        if function or text[last : word.start()].strip():
            yield from _phrase(text, run, start, end)
            run = []
        last = word.end()
        if not function:
            run.append(word)
    yield from _phrase(text, run, start, end)


def _phrase(text: str, run: list[re.Match[str]], start: int, end: int) -> Iterator[Phrase]:
    while run and (_is_weak(run[0][0]) or (len(run) > 1 and is_verb_form(run[0][0].lower()))):
        run = run[1:]
    run = run[:LONGEST]
    while run and (_is_weak(run[-1][0], run[-2][0] if len(run) > 1 else "") or is_verb_form(run[-1][0].lower())):
        run = run[:-1]
    if any(len(word[0]) > 3 and not word[0].isnumeric() for word in run):
        sentence = start + len(text[start:end]) - len(text[start:end].lstrip()), end
        yield Phrase(tuple(word[0] for word in run), run[0].start(), run[-1].end(), sentence)


def _is_weak(word: str, before: str = "") -> bool:
    """Whether a word says nothing at the end of a phrase; a number does after a name (``iPhone 13``)."""
    lowered = word.casefold().replace("’", "'").removesuffix("'s")
    if lowered[0].isdigit():
        return not before[:1].isupper() and not any(c.isupper() for c in word) and not any(c.isupper() for c in before)
    return lowered in _VAGUE or lowered.endswith("ly") or is_common_verb(lowered)
