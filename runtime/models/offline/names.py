"""Names in a text: runs of capitalised words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.runtime.models.offline.calendar_words import WEEKDAY
from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP

_TOKEN = re.compile(r"[^\W_]+(?:[.’'&-][^\W_]+)*")
_GAP_INSIDE = re.compile(
    r"\.?\s+(?:&\s+|(?:of|the|of\s+the|de|la|del|di|da|van|van\s+der|van\s+den|von|le|du)\s+|d['’])?"
)
_SENTENCE_BREAK = re.compile(r"[.!?。！？\n\"“(]\s*$|^\W*$")
_CALENDAR = re.compile(
    rf"(?:{WEEKDAY}|january|february|march|april|may|june|july|august|september|october|november|december)",
    re.IGNORECASE,
)
_NEVER = INTERJECTIONS | frozenset(
    "actually also even honestly last maybe next ps since still today tomorrow tonight yesterday".split()
)
_TITLES = frozenset("dr mr mrs ms prof st sr jr".split())


def names_in(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each run of capitalised words, in order.

    A single capitalised word that opens a sentence counts only where the text has it in mid-sentence too, or where it
    holds a further capital or a digit (``iPhone``, ``X100V``).
    """
    tokens = [m for m in _TOKEN.finditer(text) if m[0].isdecimal() or _is_capitalised(m[0])]
    inner = {m[0] for m in tokens if not _opens_sentence(text, m.start())}
    run: list[re.Match[str]] = []
    for token in tokens:
        if run and not _joined(text, run[-1], token):
            yield from _name(text, run, inner)
            run = []
        if run or not token[0].isdecimal():  # a number continues a name (iPhone 13), it never begins one
            run.append(token)
    yield from _name(text, run, inner)


def _is_capitalised(word: str) -> bool:
    if not (word[0].isupper() or (any(c.isupper() for c in word) and not word[0].isdigit())):
        return False
    lowered = word.lower().replace("’", "'")
    return not (lowered in _NEVER or lowered.startswith(("i'", "it'")) or lowered == "i" or _CALENDAR.fullmatch(word))


def _joined(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    gap = text[left.end() : right.start()]
    if len(gap) > 12 or right[0].lower() in _TITLES or not _GAP_INSIDE.fullmatch(gap):
        return False
    if right[0].isdecimal() and (len(right[0]) > 3 or gap != " "):
        return False
    return not gap.startswith(".") or left[0].lower() in _TITLES or len(left[0]) == 1


def _opens_sentence(text: str, start: int) -> bool:
    return bool(_SENTENCE_BREAK.search(text[max(0, start - 4) : start])) or start == 0


def _name(text: str, run: list[re.Match[str]], inner: set[str]) -> Iterator[tuple[int, int]]:
    while run and run[0][0].lower().replace("’", "'") in STOP:
        run = run[1:]
    if not run:
        return
    first = run[0]
    alone = len(run) == 1 and _opens_sentence(text, first.start())
    if alone and first[0] not in inner and not any(c.isupper() or c.isdigit() for c in first[0][1:]):
        return
    end = run[-1].end()
    shown = text[first.start() : end]
    yield first.start(), end - 2 if shown.endswith(("'s", "’s")) else end
