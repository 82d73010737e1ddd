"""Whether a statement affirms what its quotes deny, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from designsearch.runtime.models.offline.words import NEGATIONS, STOP, WORD, stems_of
from designsearch.search.supervision.review.fact_words import REPORT

REACH = 8
"""Words after a denial that it can be about."""

_IDIOM = re.compile(
    r"\b(?:can(?:'t|not)|can\s+not|couldn't)\s+(?:wait|believe|help|stop)\b|\b(?:don't|do\s+not)\s+(?:worry|forget|"
    r"hesitate)\b|\bnot\s+(?:only|just|merely|to\s+mention)\b|\bno\s+(?:doubt|problem|worries|wonder|matter)\b"
    r"|(?:^|[.!?]\s+)(?:no|nope|nah)\s*[,.!]|\bwhy\s+(?:not|don't)\b|,\s*\w+n't\s+\w+\s*\?"
)
"""Denials in form alone."""
_BREAK = re.compile(r"[.!?;:\n]|,")
_JOINTS = frozenset("but and although though however because while whereas since then".split())


def contradicts(statement: str, quotes: Sequence[str]) -> bool:
    """Whether a statement and its quotes disagree on whether something is so.

    A denial is about the few words after it, up to the end of its clause. What a statement denies has to be denied in
    its quotes, and what it affirms must not be denied there only. That something was spoken of affirms nothing.
    """
    denied, affirmed = _both([statement])
    there, elsewhere = _both(quotes)
    if _denies(statement) and not (denied & there if denied and there else any(map(_denies, quotes))):
        return True
    return not REPORT.search(statement) and bool((affirmed - denied) & (there - elsewhere))


def _denies(text: str) -> bool:
    return any(_is_denial(word[0]) for word in WORD.finditer(_plain(text)))


def _both(texts: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the telling words that are denied, and of those that are not."""
    found = [pair for text in texts for pair in _words(_plain(text))]
    stems = stems_of([word for word, _ in found])
    denied = frozenset(stem for stem, (_, no) in zip(stems, found, strict=True) if no)
    return denied, frozenset(stem for stem, (_, no) in zip(stems, found, strict=True) if not no)


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Each telling word, and whether it is denied."""
    left, end = 0, 0
    for match in WORD.finditer(text):
        word = match[0].removesuffix("'s")
        if _BREAK.search(text, end, match.start()) or word in _JOINTS:
            left = 0
        end = match.end()
        if _is_denial(word):
            left = REACH
        elif word not in STOP:
            yield word, left > 0
            left -= 1


def _is_denial(word: str) -> bool:
    return word in NEGATIONS or word.endswith("n't")


def _plain(text: str) -> str:
    return _IDIOM.sub(" ", text.casefold().replace("’", "'"))
