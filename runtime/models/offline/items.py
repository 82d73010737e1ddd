"""Entries of enumerations: ``pottery, camping and swimming``, bulleted and numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.runtime.models.offline.words import STOP, WORD, is_verb_form

_BULLET = re.compile(r"^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+(?P<item>\S[^\n]{0,200})$", re.MULTILINE)
_CLAUSE = re.compile(r"(?:[^.!?;:()\n。！？—–]|\.(?=\w))+")
_JOINT = re.compile(r",\s{1,3}(?:(?:and|or|&)\s{1,3})?|(?<=\S)\s{1,3}(?:and|or|&)\s{1,3}|[、，]")
_NEW_CLAUSE = re.compile(r"(?:i|we|you|he|she|they|it|that|this|there)\b", re.IGNORECASE)
_LONGEST = 6
"""Words that one entry may have; more is a clause, not an entry."""


def items_in(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each listed entry, in order of place within each kind of list.

    An enumeration has at least two entries joined by ``and``, ``or``, ``&`` or three by commas.
    """
    for line in _BULLET.finditer(text):
        yield line.span("item")
    for clause in _CLAUSE.finditer(text):
        yield from _enumeration(text, clause.start(), clause.end())


def _enumeration(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    joints = list(_JOINT.finditer(text, start, end))
    run: list[tuple[int, int]] = []
    edges = [start, *(j.end() for j in joints)]
    stops = [*(j.start() for j in joints), end]
    for left, right in zip(edges, stops, strict=True):
        if run and _NEW_CLAUSE.match(text, left, right):
            yield from _kept(run, text)
            run = []
        entry = _last_entry(text, left, right) if not run else _entry(text, left, right)
        if entry is not None:
            run.append(entry)
        if entry is None or (len(run) > 1 and len(WORD.findall(text, left, right)) > _LONGEST):
            yield from _kept(run, text)
            run = []
    yield from _kept(run, text)


def _kept(run: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    joined = len(run) >= 2 and bool(re.search(r"\b(?:and|or)\b|&", text[run[0][1] : run[-1][0]]))
    return run if joined or len(run) >= 3 else []


def _entry(text: str, left: int, right: int) -> tuple[int, int] | None:
    """The entry that a later segment begins with: its words up to the first function word."""
    words = list(WORD.finditer(text, left, right))
    stop = [_is_function_word(m[0]) for m in words]
    while words and stop[0]:
        words, stop = words[1:], stop[1:]
    if True in stop:
        words = words[: stop.index(True)]
    return (words[0].start(), words[-1].end()) if words else None


def _last_entry(text: str, left: int, right: int) -> tuple[int, int] | None:
    """The entry that the first segment ends with: its words after the last function word or verb."""
    words = list(WORD.finditer(text, left, right))
    for i in reversed(range(len(words))):
        word = words[i][0].lower()
        if _is_function_word(word) or (i + 1 < len(words) and is_verb_form(word)):
            words = words[i + 1 :]
            break
    return (words[0].start(), words[-1].end()) if 0 < len(words) <= _LONGEST else None


def _is_function_word(word: str) -> bool:
    return word.lower().replace("’", "'") in STOP
