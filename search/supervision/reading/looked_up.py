"""Answers that stand in one record, found at once or over a second one that names what the question describes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from designsearch.runtime.models.offline.words import STOP, stems_of, words_of
from designsearch.runtime.records import Value
from designsearch.search.metrics.typed import equal
from designsearch.search.supervision.reading.coverage import best_first
from designsearch.search.supervision.reading.parts import CLEAR, Found, Sight

_CLAUSE = re.compile(r"(?<=\w)\s(?:who|whoever|whom|whose|that|which|where)\s.*", re.IGNORECASE | re.DOTALL)

READ = 8
"""Sentences that are read closely."""
NEARLY = 0.85
"""A sentence answers in the place of the best one, which holds nothing of the type, from this share of its score."""
BRIDGE_FLOOR = 0.7
BRIDGE_GAIN = 0.12
"""What a second record has to add to what the best sentence says."""
LINK_WEIGHT = 0.5
"""Weight from which a word that two sentences share links them."""


def looked_up(sight: Sight) -> Found | None:
    """The answer, or ``None`` where no sentence supports one or several support different ones."""
    scores = sight.match.scores
    order = best_first(scores)[: 3 * READ]
    best = float(scores[order[0]])
    bridged = _bridged(sight, best)
    if bridged is not None:
        return bridged
    if not sight.supports(order[0]):
        return None
    read = [(line, sight.answer(line)) for line in order if scores[line] >= NEARLY * best][:READ]
    answers: list[tuple[int, Value]] = [
        (line, value) for line, value in read if value is not None and sight.supports(line)
    ]
    if not answers:
        return None
    line, value = _chosen(sight, answers)
    for other, another in answers:
        if _rivals(sight, line, other) and not equal(value, another, sight.question.wanted):
            return None
    return Found(value, (sight.source(line),))


def _chosen(sight: Sight, answers: list[tuple[int, Value]]) -> tuple[int, Value]:
    """The best; the last or the first in time among those that say as much, where the question asks for it."""
    question, scores = sight.question, sight.match.scores
    if not (question.latest or question.earliest):
        return answers[0]
    floor = CLEAR * NEARLY * float(scores[answers[0][0]])
    dated = [(line, value) for line, value in answers if scores[line] >= floor and sight.shown.lines[line].day]
    if not dated:
        return answers[0]
    pick = max if question.latest else min
    return pick(dated, key=lambda one: (sight.shown.lines[one[0]].day, scores[one[0]]))


def _rivals(sight: Sight, line: int, other: int) -> bool:
    """Whether another record's sentence says as much as the one chosen."""
    if sight.source(line) == sight.source(other):
        return False
    if sight.question.latest or sight.question.earliest:
        return False
    scores = sight.match.scores
    return float(scores[other]) >= CLEAR * float(scores[line])


def _bridged(sight: Sight, single: float) -> Found | None:
    """The answer over two records that share a name or a rare word and together say clearly more than any one."""
    pairs = list(_pairs(sight))
    if not pairs:
        return None
    top = max(score for score, *_ in pairs)
    if top < BRIDGE_FLOOR or top < single + BRIDGE_GAIN:
        return None
    found: list[tuple[float, Found]] = []
    for score, one, other, link in pairs:
        if score < CLEAR * top:
            continue
        for describing, asked in ((one, other), (other, one)):
            value = sight.answer(asked, link)
            if value is not None:
                sources = (sight.source(describing), sight.source(asked))
                found.append((_tells(sight, asked, describing), Found(value, sources)))
    if not found:
        return None
    found.sort(key=lambda pair: -pair[0])
    return found[0][1]


def _pairs(sight: Sight) -> Iterator[tuple[float, int, int, frozenset[str]]]:
    """What two sentences of different records say together, and the stems of the words that link them."""
    match, terms = sight.match, sight.question.terms
    lines = [line for line in sight.best_of_each(match)[:READ] if match.scores[line] > 0]
    total = max(float(terms.weights.sum()), 1e-6)
    for one, other in permutations(lines, 2):
        if one < other:
            link = _links(sight, one, other)
            if link:
                together = float(terms.weights @ np.maximum(match.near[:, one], match.near[:, other])) / total
                yield round(together, 3), one, other, link


def _links(sight: Sight, one: int, other: int) -> frozenset[str]:
    """Stems of telling words that both sentences have and the question has not; or one has, and the other's author."""
    left, right = (set(sight.shown.lines[line].words) for line in (one, other))
    by_left, by_right = (set(words_of(sight.authors[sight.source(line)])) for line in (one, other))
    both = (left & right) | (left & by_right) | (by_left & right)
    shared = sorted(both - STOP - set(sight.question.terms.words))
    if not shared:
        return frozenset()
    weights = sight.soft.weights(sight.soft.numbers(shared)).tolist()
    return frozenset(stems_of([w for w, weight in zip(shared, weights, strict=True) if weight >= LINK_WEIGHT]))


def _tells(sight: Sight, asked: int, describing: int) -> float:
    """How sure it is that what is asked for stands in this sentence and what describes it in the other.

    English asks first and describes in a clause after it (``the islet on which the one works who ...``).
    """
    terms = sight.question.terms
    clause = _CLAUSE.search(sight.question.text)
    described = set(words_of(clause[0])) if clause else set()
    asks = np.array([word not in described for word in terms.words], bool)
    near = sight.match.near
    gain = terms.weights * (near[:, asked] - near[:, describing])
    return float(gain[asks].sum() - gain[~asks].sum()) if clause else float(gain.sum() * -1e-3)
