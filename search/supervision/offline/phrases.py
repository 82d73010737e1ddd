"""What a text is about: its runs of content words, without the verbs and fillers at their ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, is_verb_form

LONGEST = 4
"""Words of a phrase."""
MOST_TEXT = 4000
"""Characters that are read: what a person says of a thing stands near the beginning."""

_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\w)[^.!?\n]*)*[.!?]*")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_BRACKETS = re.compile(r"\[[^\]\n]{0,500}\]")
_VAGUE = frozenset(
    "thing things bit lot way ways time times day days moment moments kind sort feeling feelings something anything "
    "everything nothing everyone someone anyone people person today tonight yesterday tomorrow morning afternoon "
    "evening night week weekend month year really quite actually honestly especially truly pretty good great nice "
    "best better well much little always never maybe perhaps still back new old whole entire right start help look "
    "going went go gone gotten make made making keep kept keeping take took taking come came coming think thought know "
    "knew say said saying want wanted need needed try tried trying seem seemed looked looking found find feel felt "
    "image photo picture pic hey".split()
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


def phrases_in(text: str) -> list[Phrase]:
    """The phrases of a text in order of place; sentences that ask and what stands in brackets are left out."""
    read = _BRACKETS.sub(lambda found: "." * len(found[0]), text[:MOST_TEXT])
    return [
        phrase
        for sentence in _SENTENCE.finditer(read)
        if not sentence[0].rstrip("\"'”’) ").endswith("?")
        for phrase in _of_sentence(read, *sentence.span())
    ]


def _of_sentence(text: str, start: int, end: int) -> Iterator[Phrase]:
    run: list[re.Match[str]] = []
    last = start
    for word in _WORD.finditer(text, start, end):
        if text[last : word.start()].strip() or _is_function(word[0]):
            yield from _phrase(text, run, start, end)
            run = []
        last = word.end()
        if not _is_function(word[0]):
            run.append(word)
    yield from _phrase(text, run, start, end)


def _phrase(text: str, run: list[re.Match[str]], start: int, end: int) -> Iterator[Phrase]:
    while run and (_is_weak(run[0][0]) or (len(run) > 1 and is_verb_form(run[0][0].lower()))):
        run = run[1:]
    while run and (_is_weak(run[-1][0]) or is_verb_form(run[-1][0].lower())):
        run = run[:-1]
    kept = run[:LONGEST]
    if any(len(word[0]) > 3 for word in kept):
        sentence = start + len(text[start:end]) - len(text[start:end].lstrip()), end
        yield Phrase(tuple(word[0] for word in kept), kept[0].start(), kept[-1].end(), sentence)


def _is_function(word: str) -> bool:
    lowered = word.lower().replace("’", "'")
    return lowered in STOP or lowered in INTERJECTIONS or ("'" in lowered and not lowered.endswith("'s"))


def _is_weak(word: str) -> bool:
    lowered = word.lower()
    return lowered in _VAGUE or lowered.endswith("ly")
