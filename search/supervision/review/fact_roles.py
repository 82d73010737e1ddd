"""Whether a statement has two names the other way round than its quote: who did something, and to whom."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import combinations

from designsearch.runtime.models.offline.names import names_in
from designsearch.runtime.models.offline.words import FIRST_PERSON, STOP, is_verb_form, stems_of, words_of
from designsearch.search.supervision.review.fact_words import REPORT
from designsearch.search.supervision.review.quoted import Quoted

_PREPOSITIONS = frozenset("from to by with for of at in on near against without than before after".split())
_SPEAKER = FIRST_PERSON - frozenset("my mine our ours".split())
_SPEAKER |= frozenset("user speaker author writer narrator keeper".split())
_MUTUAL = frozenset(stems_of("meet marry wed divorce fight argue chat agree play dance date match".split()))
"""Stems of what one does to the other as the other does to the one."""
_SENTENCE = re.compile(r"[.!?\n]+(?:\s+|$)")

SPEAKER = "I"
"""Stands for the author, whatever a text calls it."""


def exchanged(statement: str, quoted: Quoted) -> tuple[str, str] | None:
    """Two names that change places between a statement and what it quotes; ``None`` where none do.

    A name's place is the preposition before it, or whether it stands before or after the first telling word. Only a
    full exchange counts, so that the passive and other words for the same are no exchange.
    """
    if REPORT.search(statement) or not _MUTUAL.isdisjoint(stems_of(words_of(statement))):
        return None
    authors = frozenset(word for source in quoted.sources for word in words_of(source.author))
    texts = [text for text, _ in quoted.sentences]
    names = _names([statement, *texts])
    said, held = _places([statement], names, authors), _places(texts, names, authors)
    for one, other in combinations([name for name in said if name in held], 2):
        if said[one] & held[one] or said[other] & held[other]:
            continue
        if said[one] & held[other] and said[other] & held[one]:
            return one, other
    return None


def _names(texts: Sequence[str]) -> frozenset[str]:
    found = {word for text in texts for start, end in names_in(text) for word in words_of(text[start:end])}
    firsts = (words_of(text)[:1] for text in texts if text[:1].isupper())
    return frozenset(found | {word for first in firsts for word in first if word not in STOP})


def _places(texts: Sequence[str], names: Collection[str], authors: Collection[str]) -> dict[str, set[str]]:
    places: dict[str, set[str]] = {}
    for sentence in (sentence for text in texts for sentence in _SENTENCE.split(text)):
        telling, before, joined = False, "", ""
        words = words_of(sentence)
        if words and is_verb_form(words[0]):  # as in a diary: bought a lamp
            places.setdefault(SPEAKER, set()).add("subject")
        for word in words:
            known = _called(word, sentence, names, authors)
            if known:
                places.setdefault(known, set()).add(before or ("object" if telling else "subject"))
                before, joined = "", before
            elif word in ("and", "or"):
                before = joined
            elif word in _PREPOSITIONS:
                before = word
            elif word not in STOP:
                telling, before = True, ""
    return places


def _called(word: str, sentence: str, names: Collection[str], authors: Collection[str]) -> str:
    """The name that a word is in a sentence; empty where it is written as the ordinary word that it may be, too."""
    if word in _SPEAKER or word in authors:
        return SPEAKER
    return word if word in names and re.search(rf"\b{re.escape(word.capitalize())}", sentence) else ""
