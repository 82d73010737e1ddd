"""Does a text that a model wrote hold what a source text says?

No such text repeats its source word for word, so content words are counted, wherever they stand and in any form, and
every number and date must be there, however it is written. It says what could be recovered; it is no evidence.
"""

from __future__ import annotations

from designsearch.search.metrics.answer_recall import figures_found, needles_of, words_found
from designsearch.search.metrics.lines import joined_words, lines_of

SHARE_OF_WORDS = 0.8
"""The least share of the source's content words."""


def holds(written: str, source: str) -> bool:
    """Whether ``written`` has at least 0.8 of the content words of ``source``, and all of its numbers and dates."""
    needles = needles_of(source)
    lines = lines_of(written)
    words = joined_words(lines)
    figures = len(needles.numbers) + len(needles.dates)
    if figures_found(needles, lines, words) < figures:
        return False
    return words_found(needles, lines, words) >= SHARE_OF_WORDS * (len(needles) - figures)
