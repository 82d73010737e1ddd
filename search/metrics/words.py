"""Words of folded text as one string with spaces between, and the search for a stem in it.

Long contexts are searched for a handful of stems. Finding words that begin like the stem and stemming only those costs
a small part of splitting and stemming everything.
"""

from __future__ import annotations

import re
from functools import lru_cache

import Stemmer

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0fff"
_WORD_CHARACTER = re.compile(rf"[^\W_]|[{_MARKS}]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_GLUED = re.compile(r"[0-9](?=[^\W\d_])")
_ASCII = bytes(b if chr(b).isalnum() or b > 0x7F else 0x20 for b in range(256))
_SHORT = 3


def spaced(folded: str) -> str:
    """The words of a folded text with spaces before, between and after them.

    Letters, digits and the marks that belong to letters make words; a number parts from letters that follow it
    (``355kcal`` is ``355 kcal``), not from those before it (``ps5``).
    """
    for character in set(_BEYOND_ASCII.findall(folded)):
        if not _WORD_CHARACTER.match(character):
            folded = folded.replace(character, " ")
    plain = folded.encode("utf-8", "surrogatepass").translate(_ASCII).decode("utf-8", "surrogatepass")
    return f" {_GLUED.sub(_parted, plain)} "


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a folded English word (Snowball's English stemmer)."""
    return str(_stemmer().stemWord(word))


def beginning(of_stem: str) -> str:
    """What every word with that stem begins with.

    Suffix rules change the last letter of a stem at most (``cry`` and ``cri``, ``hoping`` and ``hope``); in stems of
    three letters the second one too (``dying`` and ``die``).
    """
    return of_stem[:1] if len(of_stem) <= _SHORT else of_stem[:-1]


def has_stem(wanted: str, words: str) -> bool:
    """Whether a word with that stem stands among spaced words."""
    begins = f" {beginning(wanted)}"
    at = words.find(begins)
    while at >= 0:
        end = words.index(" ", at + 1)
        if stem(words[at + 1 : end]) == wanted:
            return True
        at = words.find(begins, end)
    return False


def _parted(match: re.Match[str]) -> str:
    return f"{match[0]} "


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")
