"""A text in sentences, each of a length that rules can read closely."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_SENTENCE = 600
"""Characters; what follows reads each sentence closely, so that its length has to be bounded."""


def sentences_of(text: str, end: re.Pattern[str], abbreviation: re.Pattern[str]) -> Iterator[str]:
    """The sentences in order, stripped; one longer than :data:`LONGEST_SENTENCE` comes in parts.

    Args:
        text: what is split.
        end: the gap between two sentences, with the mark that ends the first.
        abbreviation: what ends in a full stop and a gap that end no sentence; it is searched for in the four characters
            before the stop, the stop, and the gap.
    """
    start = 0
    for gap in end.finditer(text):
        if gap[0][0] == "." and abbreviation.search(text, max(start, gap.start() - 4), gap.end()):
            continue
        yield from _pieces(text[start : gap.end()].strip())
        start = gap.end()
    yield from _pieces(text[start:].strip())


def _pieces(sentence: str) -> Iterator[str]:
    """A sentence whole; one that is too long (a table, a list, no punctuation) in parts."""
    while len(sentence) > LONGEST_SENTENCE:
        cut = sentence.rfind(" ", 1, LONGEST_SENTENCE)
        cut = cut if cut > 0 else LONGEST_SENTENCE
        yield sentence[:cut].strip()
        sentence = sentence[cut:].strip()
    if sentence:
        yield sentence
