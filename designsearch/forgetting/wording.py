"""Texts as sequences of words, and the runs of words by which one text is recognised inside another.

A text is recognised by any 8 words of it in a row, whatever stands between them: line breaks, marks, other case. A
shorter text is recognised as a whole. In scripts that leave no space between words each character counts as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import normalize

RUN = 8
"""Words in a row that are enough to recognise a text."""

LEAST_LETTERS = 12
"""A text with fewer letters and digits says nothing that others would not say too ..."""

LEAST_WITH_DIGITS = 6
"""... unless there is a number in it."""

FORGOTTEN = "forgotten"
"""What stands in the place of a text that was removed."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")

Run = tuple[str, ...]
Runs = Mapping[int, frozenset[Run]]
"""Runs of words by their length."""


def words(text: str) -> list[str]:
    """The words of a text, in one form."""
    return _WORD.findall(normalize("NFKC", text).casefold())


def runs(text: str) -> set[Run]:
    """The runs by which a text is recognised; none where it is too short for that."""
    found = words(text)
    letters = sum(map(len, found))
    numbered = any(letter.isdigit() for letter in text)
    if letters < (LEAST_WITH_DIGITS if numbered else LEAST_LETTERS):
        return set()
    return set(_windows(found, min(RUN, len(found))))


def by_length(some: set[Run]) -> dict[int, frozenset[Run]]:
    """Runs sorted by their length."""
    return {n: frozenset(run for run in some if len(run) == n) for n in {len(run) for run in some}}


def says(text: str, known: Runs) -> bool:
    """Whether one of the runs stands in a text."""
    if not known or len(text) < LEAST_WITH_DIGITS:
        return False
    found = words(text)
    return any(not some.isdisjoint(_windows(found, n)) for n, some in known.items())


def said(text: str, known: Runs) -> set[Run]:
    """The runs that stand in a text."""
    found = words(text)
    return {run for n, some in known.items() for run in some.intersection(_windows(found, n))}


def blanked(text: str, known: Runs) -> str:
    """The text with :data:`FORGOTTEN` in the place of each passage that is made of the runs."""
    tokens = [(normalize("NFKC", found[0]).casefold(), *found.span()) for found in _WORD.finditer(text)]
    plain = [word for word, _, _ in tokens]
    covered = [False] * len(tokens)
    for n, some in known.items():
        for i, window in enumerate(_windows(plain, n)):
            if window in some:
                covered[i : i + n] = [True] * n
    parts, at, inside = [], 0, False
    for (_, start, end), gone in zip(tokens, covered, strict=True):
        if gone:
            parts += [] if inside else [text[at:start], FORGOTTEN]
            at = end
        inside = gone
    return "".join([*parts, text[at:]])


def _windows(found: Sequence[str], n: int) -> Iterator[Run]:
    return zip(*(found[i:] for i in range(n)), strict=False)
