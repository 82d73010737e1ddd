"""Where a quote stands in a text, though the one who quoted it changed its typography."""

from __future__ import annotations

import re
from functools import lru_cache

from designsearch.search.metrics.fold import fold

_CLUSTER = re.compile(
    "[^\u0300-\u036f\u1160-\u11ff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]?"
    "[\u0300-\u036f\u1160-\u11ff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]*",
    re.DOTALL,
)
"""A character with the accents, voicing marks and Hangul vowels and finals that compose with it."""


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands first, as ``start, end`` with ``text[start:end]`` the text's own spelling of it.

    An exact occurrence is preferred. Else both are compared in their normal form (see
    :mod:`~designsearch.search.metrics.fold`) with any run of white space as one blank, and the place is that of the
    untouched text.

    Returns:
        ``None`` where it stands nowhere, or is empty.
    """
    quote = quote.strip()
    if not quote:
        return None
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    wanted = _normal(quote)[0].strip()
    folded, starts, ends = _normal(text)
    at = folded.find(wanted)
    if not wanted or at < 0:
        return None
    return starts[at], ends[at + len(wanted) - 1]


def _normal(text: str) -> tuple[str, list[int], list[int]]:
    """The normal form, and for each character of it where that which it comes from starts and ends in the text."""
    made: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        folded = _folded(cluster[0])
        if folded == " " and made and made[-1] == " ":
            continue
        made += folded
        starts += [cluster.start()] * len(folded)
        ends += [cluster.end()] * len(folded)
    return "".join(made), starts, ends


@lru_cache(maxsize=1 << 14)
def _folded(cluster: str) -> str:
    return " " if cluster.isspace() else fold(cluster)
