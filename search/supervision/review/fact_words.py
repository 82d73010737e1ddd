"""Which words of a statement its quotes do not say: each has to stand there, or another that means the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from designsearch.runtime.models.offline.amounts import amounts_in
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.words import NEGATIONS, STOP, WORD, stems_of, words_of
from designsearch.search.supervision.reading.soft_words import SoftWords
from designsearch.search.supervision.review.quoted import SPEAKERS, Quoted
from designsearch.search.supervision.review.word_pairs import meanings, opposite_function_words, opposites

ALIKE = 0.5
"""A word that is this much like one that is quoted may stand for it."""

REPORT = re.compile(
    r"\b(?:spoke|speaks?|mention(?:s|ed)?|talk(?:s|ed)?|ask(?:s|ed)?|discuss(?:es|ed)?)\b(?!\s+that\b)", re.IGNORECASE
)
"""A statement of what was spoken of says nothing about it; one of what was said *that* is so does."""

_SAYING = frozenset(
    "spoke speak speaks speaking spoken mention mentions mentioned mentioning talk talks talked talking ask asks asked "
    "discuss discusses discussed discussing say says said saying tell tells told state states stated report reports "
    "reported note notes noted write writes wrote written".split()
)
"""What any record does."""
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_PARTICLES = frozenset(
    "across along alongside although amid among around because behind beside besides beyond despite either except near "
    "onto per since though throughout together toward unless upon via whether".split()
)
_ARTICLES = frozenset("a an the".split())
_NOUNS_TOO = frozenset("well will can might mine must".split())
"""Function words that are something else after an article."""
_FREE = STOP | NEGATIONS | SPEAKERS | _SAYING | _PARTICLES


def unsaid(statement: str, names: Iterable[str], quoted: Quoted, soft: SoftWords) -> str:
    """The first word of a statement that its quotes do not say, or say the opposite of; empty where there is none.

    Function words are free, except one whose opposite stands before the same word. Numbers and dates are left out; who
    is called what in the rest of the record is known.

    Args:
        statement: without the time of day of its record.
        names: words of the statement that are names.
        quoted: what it rests on.
        soft: knows the words.
    """
    free = _FREE | {word for word in names if word in quoted.around}
    words = _telling(statement)
    nouns = {word for before, word in pairwise(words) if before in _ARTICLES and word in _NOUNS_TOO}
    said = [word for word in dict.fromkeys(words) if word in nouns or word not in free]
    strange = _strange(said, quoted.words, soft)
    return strange or next(_turned(statement, quoted), "")


def _telling(text: str) -> list[str]:
    """The words of a text in order, without its numbers and dates; those that are only a part of a word are left."""
    spans = [(start, end) for _, start, end, _, _ in amounts_in(text)]
    spans += [(span.start, span.end) for span in dates_in(text, None)]
    words = [match for match in WORD.finditer(text) if not _ORDINAL.fullmatch(match[0])]
    outside = [word for word in words if not any(a <= word.start() and word.end() <= b for a, b in spans)]
    return words_of(" ".join(word[0] for word in outside))


def _strange(said: list[str], held: tuple[str, ...], soft: SoftWords) -> str:
    """The first word that neither stands among those held nor is like one of them."""
    own, theirs = set(stems_of(said)), dict(zip(held, stems_of(held), strict=True))
    stems = set(theirs.values())
    new = [word for word, stem in zip(said, stems_of(said), strict=True) if stem not in stems]
    if not new:
        return ""
    # a word that the statement has already cannot be what another of its words stands for
    others = [word for word, stem in theirs.items() if word not in STOP and stem not in own]
    near = soft.similarity(soft.numbers(new), soft.numbers(others)) if others else np.zeros((len(new), 0), np.float32)
    for word, stem, row in zip(new, stems_of(new), near, strict=True):
        turned = opposites().get(stem, frozenset())
        meant = meanings().get(stem, frozenset())
        if turned & stems:
            return word
        if not any(theirs[other] in meant or score >= ALIKE for other, score in zip(others, row.tolist(), strict=True)):
            return word
    return ""


def _turned(statement: str, quoted: Quoted) -> Iterator[str]:
    """Function words of the statement, with the word after them, before which the quotes have the opposite."""
    said = set(_pairs(statement))
    held = {pair for text, _ in quoted.sentences for pair in _pairs(text)}
    for word, after in sorted(said - held):
        if any((other, after) in held and (other, after) not in said for other in opposite_function_words()[word]):
            yield f"{word} {after}"


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Each function word that has an opposite, with the stem of the next telling word."""
    words, known = words_of(text), opposite_function_words()
    after = ""
    for word, stem in zip(reversed(words), reversed(stems_of(words)), strict=True):
        if word in known and after:
            yield word, after
        if word not in STOP and word not in NEGATIONS:
            after = stem
