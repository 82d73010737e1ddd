"""Text to index terms, for every script.

Words are runs of letters, digits and combining marks (so that Hindi keeps its vowel signs), case-folded and NFKC
normalised. Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) and Hangul, whose particles cling to
the word, give overlapping character bigrams plus single characters. Nothing is a query language: a colon, a quote or a
minus sign separates words and means nothing else.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Literal

import Stemmer

from designsearch.runtime.function_words import ENGLISH

Stem = Literal["none", "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "russian"]
Stopwords = Literal["none", "english"]

_BIGRAM_SCRIPTS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # kana
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul syllables
    (0xF900, 0xFAFF),  # Han, compatibility
    (0x20000, 0x3134F),  # Han, further extensions
)
_SPACELESS = "".join(f"{chr(low)}-{chr(high)}" for low, high in _BIGRAM_SCRIPTS)


@cache
def _word_pattern() -> re.Pattern[str]:
    """Runs of letters, digits and combining marks; the marks of all scripts as ranges, gathered once."""
    ranges: list[list[int]] = []
    for code in (c for c in range(0x300, sys.maxunicode) if unicodedata.category(chr(c)) in ("Mn", "Mc")):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    marks = "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)
    return re.compile(rf"[\w{marks}]+")


_ASCII_WORD = re.compile(r"[a-z0-9]+")
_SPACELESS_RUN = re.compile(rf"[{_SPACELESS}]+|[^{_SPACELESS}]+")
_HAS_SPACELESS = re.compile(rf"[{_SPACELESS}]")
_TYPOGRAPHY = str.maketrans("‘’“”–—…•\u00a0", "''\"\"--. \x20")


def words(text: str) -> list[str]:
    """The index terms of a text in order, before stop words and stemming."""
    if not text.isascii():
        text = text.translate(_TYPOGRAPHY)
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    found: list[str] = _word_pattern().findall(plain)
    if not _HAS_SPACELESS.search(plain):
        return found
    return [term for token in found for run in _SPACELESS_RUN.findall(token) for term in _split(run)]


def _split(run: str) -> list[str]:
    return _grams(run) if _is_spaceless(run[0]) else [run]


def _is_spaceless(char: str) -> bool:
    code = ord(char)
    return any(low <= code <= high for low, high in _BIGRAM_SCRIPTS)


def _grams(run: str) -> list[str]:
    return [*run, *(run[i : i + 2] for i in range(len(run) - 1))]


@lru_cache(maxsize=16)
def _stemmer(language: Stem) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language)


def stem_all(terms: Sequence[str], language: Stem) -> list[str]:
    """Snowball stems, one a term; unchanged for ``none``."""
    return list(terms) if language == "none" else _stemmer(language).stemWords(list(terms))


def is_stopword(stopwords: Stopwords) -> Callable[[str], bool]:
    """A test for the terms that a stop list drops."""
    return ENGLISH.__contains__ if stopwords == "english" else lambda _: False


def has_content(text: str, stopwords: Stopwords) -> bool:
    """Whether a text holds a word that the stop list leaves."""
    drop = is_stopword(stopwords)
    return any(not drop(word) for word in words(text))


def query_terms(text: str, stem: Stem, stopwords: Stopwords) -> list[str]:
    """The stemmed terms of a query; one that holds nothing but stop words keeps them all."""
    found = words(text)
    drop = is_stopword(stopwords)
    kept = [term for term in found if not drop(term)]
    return stem_all(kept or found, stem)
