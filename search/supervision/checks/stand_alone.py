"""Whether a question can be understood by somebody who has seen nothing else."""

from __future__ import annotations

import re

from designsearch.runtime.models.offline.words import STOP, words_of

LONGEST = 1_000
"""Characters of a question that are read."""

_THING = (
    r"(?:text|passage|excerpt|snippet|message|record|conversation|chat|document|note|e-?mail|entry|paragraph|quote"
    r"|statement|context|source|bundle|evidence|fact|section|item|memory|memories)s?"
)
_POINTERS = re.compile(
    rf"\bthis\s+(?:\w+\s+)?{_THING}\b(?!\s+app\b)"
    rf"|\b(?:these|those)\s+(?:\w+\s+)?{_THING}\b"
    rf"|\bthe\s+(?:above|following|given|provided|preceding|previous|first|second|third|two|same|cited|quoted)\s+{_THING}\b"
    rf"|\b{_THING}\s+(?:above|below|provided|given|shown|quoted|cited|in\s+question)\b"
    r"|\b(?:as|was|were|is|are)?\s*(?:mentioned|described|stated|noted|discussed|listed|shown|quoted|given|said)\s+"
    r"(?:above|below|earlier\s+here|previously|here)\b"
    r"|\bthe\s+(?:passage|excerpt|snippet|bundle)s?\b"
    r"|\b(?:in|from|by|of|per|according\s+to|based\s+on|does)\s+the\s+(?:text|records?|context|sources?|evidence|facts?"
    r"|memory|memories|history)\b(?!\s+(?:message|book|of|label|player|store|shop|museum|file|editor|class|teacher))"
    r"|\b(?:according\s+to|based\s+on)\s+(?:the|this)\s+(?:\w+\s+)?(?:conversation|chat|document|message|note|e-?mail)\b"
    r"(?!\s+(?:from|with|by|to|about|between|on|called|titled|that|of)\b)"
    r"|\b(?:the\s+)?(?:aforementioned|above-mentioned|former|latter)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?P<person>he|she|him|his|hers?|himself|herself)\b|\b(?P<thing>it|its|itself|they|them|their|theirs)\b"
    r"|\b(?P<shown>this|that|these|those)\b(?=\s*(?:[?!.,]|$|(?:happen|happened|take|took|start|end|cost|go|be)\b))",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"\b(?:(?:is|was|has|had|did|does|will|would|could)\s+it\s+(?:been|be|take|cost|true|that|possible|when|who|the\s+case"
    r"|necessary|on\b|rain|snow)|it\s+(?:rain(?:s|ed|ing)?|snow(?:s|ed|ing)?|takes?|took|was\s+that|is\s+that|has\s+been|had\s+been))\b",
    re.IGNORECASE,
)
_FRAME = STOP | frozenset(
    (
        "day date month year week time times many much long often kind type sort name first last happen happened call "
        "called tell say said ask asked mean meant decide decided go went take took make made get got buy bought give "
        "gave use used want wanted need needed feel felt think thought find found start started end ended begin began "
        "plan planned total"
    ).split()
)


def dangling(question: str) -> str:
    """What in a question points outside it; empty where nothing does.

    That is a mention of the material (``the passage``, ``this message``, ``as mentioned above``), or a pronoun of the
    third person before which nothing is named that it could stand for.
    """
    question = question[:LONGEST]
    pointer = _POINTERS.search(question)
    if pointer:
        return pointer[0].strip()
    for pronoun in _PRONOUN.finditer(question):
        if pronoun["thing"] and _is_empty(question, pronoun.start()):
            continue
        if not _antecedent(question[: pronoun.start()]):
            return pronoun[0]
    return ""


def _is_empty(question: str, start: int) -> bool:
    """Whether an ``it`` stands for nothing, as in ``how long did it take to``."""
    return any(m.start() <= start < m.end() for m in _EMPTY_IT.finditer(question))


def _antecedent(before: str) -> bool:
    """Whether something is named that a pronoun could stand for: a word that does more than frame the question."""
    return any(word not in _FRAME for word in words_of(before))
