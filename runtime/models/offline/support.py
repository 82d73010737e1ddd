"""How well each sentence of a context supports an answer to a question.

A sentence's score is the share of the question's weighted terms that it holds: a term's weight is its inverse document
frequency among the context's sentences, ``ln(1 + N / (df + 1/2)) / ln(1 + 2 N)``, so that a term which the context
lacks costs most. ``N`` counts some sentences without any of the terms in, so that a context of a few lines does not
make all of them common. Terms that only the rest of the item or the item before holds count in part, since people
speak in several sentences and answer one another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from designsearch.runtime.models.offline.question import Asked
from designsearch.runtime.models.offline.reading import Sentence
from designsearch.runtime.models.offline.words import (
    FIRST_PERSON,
    INTERJECTIONS,
    SECOND_PERSON,
    STOP,
    stems_of,
    words_of,
)

BACKGROUND = 50
"""Sentences without any of the question's terms that are counted beside the context's own."""
SAME_ITEM = 0.5
ITEM_BEFORE = 0.3
FOCUS_WEIGHT = 0.5
NAME_WEIGHT = 1.2
QUESTION_FACTOR = 0.75
EMPTY_FACTOR = 0.6
OTHER_SPEAKER_FACTOR = 0.7
IN_DATE, OUT_OF_DATE = 1.3, 0.75
ASSISTANT_FACTOR = 0.7
_EMPTY = STOP | INTERJECTIONS
_ASSISTANTS = frozenset({"assistant", "ai", "agent", "system"})


@dataclass(frozen=True, slots=True)
class Support:
    """A sentence with what it has in common with the question.

    Attributes:
        sentence: the sentence.
        words, stems: its words, casefolded, and their stems.
        matched: the question's terms that stand in it.
        addressed: casefolded names of the context's authors: in a conversation mostly the one spoken to.
        about: how many of the matched terms are not names.
        fits_person: False where somebody who was not asked about speaks of themselves.
        score: 0 (nothing in common) to about 1.
    """

    sentence: Sentence
    words: list[str]
    stems: list[str]
    matched: frozenset[str]
    addressed: frozenset[str]
    about: int
    fits_person: bool
    score: float


def ranked_support(asked: Asked, sentences: Sequence[Sentence]) -> list[Support]:
    """Every sentence with its score, best first, ties in the context's order."""
    words = [words_of(s.text) for s in sentences]
    stems = stems_of([w for row in words for w in row])
    bounds = [0]
    for row in words:
        bounds.append(bounds[-1] + len(row))
    rows = [stems[a:b] for a, b in pairwise(bounds)]
    terms = frozenset(asked.terms)
    matched = [terms.intersection(row) for row in rows]
    weights = _weights(asked, matched)
    total = sum(weights.values()) or 1.0
    speakers = _named_speakers(asked, sentences)
    addressed = frozenset(w for author in speakers for w in words_of(author))
    names = frozenset(stems_of(sorted(asked.names)))
    found = []
    for i, (sentence, around) in enumerate(zip(sentences, _around(sentences, matched), strict=True)):
        said_by = speakers.get(sentence.author, frozenset())
        fits = not sentence.author or bool(said_by) or not _speaks_of_self(asked, words[i])
        score = _shared(weights, matched[i] | said_by, around) / total
        score *= _factor(asked, sentence, words[i], fits=fits) if score else 0.0
        about = len(matched[i] - names)
        found.append(Support(sentence, words[i], rows[i], matched[i], addressed, about, fits, score))
    order = sorted(range(len(found)), key=lambda i: (-found[i].score, i))
    return [found[i] for i in order]


def _weights(asked: Asked, matched: Sequence[frozenset[str]]) -> dict[str, float]:
    size = len(matched) + BACKGROUND
    frequency = Counter(t for row in matched for t in row)
    names = set(stems_of(sorted(asked.names)))
    weights = {}
    for term in asked.terms:
        idf = math.log(1 + size / (frequency[term] + 0.5)) / math.log(1 + 2 * size)
        factor = NAME_WEIGHT if term in names else FOCUS_WEIGHT if term in asked.focus else 1.0
        weights[term] = factor * idf
    return weights


def _named_speakers(asked: Asked, sentences: Sequence[Sentence]) -> dict[str, frozenset[str]]:
    """Authors of the context, each with the stems of its name's words that the question names."""
    named: dict[str, frozenset[str]] = {}
    for sentence in sentences:
        if sentence.author and sentence.author not in named:
            words = [w for w in words_of(sentence.author) if w in asked.names]
            named[sentence.author] = frozenset(stems_of(words))
    return named


def _around(
    sentences: Sequence[Sentence], matched: Sequence[frozenset[str]]
) -> list[tuple[frozenset[str], frozenset[str]]]:
    """For each sentence the terms in its whole item and in the item before."""
    items: dict[int, frozenset[str]] = {}
    for sentence, row in zip(sentences, matched, strict=True):
        items[sentence.item] = items.get(sentence.item, frozenset()) | row
    return [(items[s.item], items.get(s.item - 1, frozenset())) for s in sentences]


def _shared(weights: dict[str, float], held: frozenset[str], around: tuple[frozenset[str], frozenset[str]]) -> float:
    """Weight of the terms that a sentence holds, and in part of those that only its surroundings hold."""
    score = 0.0
    for term, weight in weights.items():
        if term in held:
            score += weight
        elif term in around[0]:
            score += SAME_ITEM * weight
        elif term in around[1]:
            score += ITEM_BEFORE * weight
    return score


def _factor(asked: Asked, sentence: Sentence, words: Sequence[str], *, fits: bool) -> float:
    """What makes a sentence less likely to answer: it says nothing, it asks, it is about another person or time."""
    factor = 1.0 if fits else OTHER_SPEAKER_FACTOR
    if len(words) < 12 and len(frozenset(words) - _EMPTY - asked.names) < 2:
        factor *= EMPTY_FACTOR
    if sentence.text.rstrip('"”’) ').endswith("?"):
        factor *= QUESTION_FACTOR
    if asked.first_person and not asked.second_person and sentence.author.lower() in _ASSISTANTS:
        factor *= ASSISTANT_FACTOR
    return factor * _date_factor(asked, sentence)


def _speaks_of_self(asked: Asked, words: Sequence[str]) -> bool:
    """Whether a speaker says ``I`` and neither ``you`` nor a name asked about."""
    if not asked.names or asked.first_person or not asked.names.isdisjoint(words):
        return False
    return not FIRST_PERSON.isdisjoint(words) and SECOND_PERSON.isdisjoint(words)


def _date_factor(asked: Asked, sentence: Sentence) -> float:
    """Prefers what was written in a time that the question names."""
    if not asked.dates or sentence.day is None or asked.kind == "when":
        return 1.0
    day = sentence.day.toordinal()
    near = any(d.first.toordinal() - 1 <= day <= d.last.toordinal() + 7 for d in asked.dates)
    return IN_DATE if near else OUT_OF_DATE
