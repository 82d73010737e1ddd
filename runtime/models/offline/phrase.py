"""The phrase of a sentence that most likely answers a question, where no type of answer points at it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from designsearch.runtime.models.offline.support import Support
from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, WORD, is_verb_form

_BREAK = re.compile(r"[,;:()\[\]—–.!?…\"“”]|\s-\s")
_INSIDE = frozenset("of the a an and my our her his their to for with in & de".split())
LONGEST = 8


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    stop: bool
    matched: bool
    verb: bool
    capital: bool


def best_phrase(support: Support) -> str:
    """The words of the sentence that answer; empty where nothing is left beside the question's own words.

    Candidates are runs of content words between punctuation and function words. One right after a term of the question
    is best; the question's own words are cut off at its ends.
    """
    text = support.sentence.text
    tokens = _tokens(support)
    hits = [i for i, t in enumerate(tokens) if t.matched]
    best, best_score = "", float("-inf")
    for left, right in _runs(text, tokens):
        low, high = _trimmed(tokens, left, right)
        if low >= high:
            continue
        score = _score(tokens, low, high, hits)
        if score > best_score:
            best, best_score = text[tokens[low].start : tokens[high - 1].end], score
    return best


def _tokens(support: Support) -> list[_Token]:
    found = list(WORD.finditer(support.sentence.text))
    if len(found) != len(support.stems):  # casefolding changed the number of words: rare scripts
        return [_Token(*m.span(), stop=False, matched=False, verb=False, capital=False) for m in found]
    return [
        _Token(
            *m.span(),
            stop=word in STOP or word in INTERJECTIONS or word in support.addressed,
            matched=stem in support.matched,
            verb=is_verb_form(word),
            capital=m[0][0].isupper(),
        )
        for m, word, stem in zip(found, support.words, support.stems, strict=True)
    ]


def _runs(text: str, tokens: list[_Token]) -> list[tuple[int, int]]:
    """Runs of tokens (half-open) without a break, a function word inside one only where content follows it."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for i, token in enumerate(tokens):
        broken = i > 0 and bool(_BREAK.search(text, tokens[i - 1].end, token.start))
        joins = not token.stop or text[token.start : token.end].lower() in _INSIDE
        if start is not None and (broken or not joins or i - start >= LONGEST):
            runs.append((start, i))
            start = None
        if start is None and joins:
            start = i
    if start is not None:
        runs.append((start, len(tokens)))
    return runs


def _trimmed(tokens: list[_Token], left: int, right: int) -> tuple[int, int]:
    """Without the question's words, function words and a leading verb at its ends."""
    while left < right and (tokens[left].stop or tokens[left].matched or (tokens[left].verb and right - left > 1)):
        left += 1
    while right > left and (tokens[right - 1].stop or tokens[right - 1].matched):
        right -= 1
    return left, right


def _score(tokens: list[_Token], low: int, high: int, hits: list[int]) -> float:
    after = min((low - h for h in hits if h < low), default=99)
    before = min((h - high + 1 for h in hits if h >= high), default=99)
    near = max(1 / (1 + 0.25 * after), 0.4 / (1 + 0.25 * before))
    content = [t for t in tokens[low:high] if not t.stop]
    size = min(len(content), 4)
    verbs = sum(t.verb for t in content)
    return 1.5 * near + 0.25 * size - 0.2 * verbs + 0.4 * any(t.capital for t in content)
