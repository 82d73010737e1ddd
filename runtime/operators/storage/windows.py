"""Stretches of text of about equal length, one memory each."""

from __future__ import annotations

import re

import numpy as np

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.operators.storage.spans import JOIN, by_session
from designsearch.runtime.records import History, Units

_WORD = re.compile(r"\S+")
Span = tuple[int, int, int]


class WindowsParams(Params):
    """Parameters of ``windows``."""

    size: int = param(200, ge=5, le=10_000, about="words in a window", tune=Tune(40, 600, log=True))
    overlap: int = param(40, ge=0, le=9_000, about="words that a window shares with the one before", tune=Tune(0, 200))


@operator("windows", "units", WindowsParams)
def windows(params: WindowsParams, history: History) -> Units:
    """Windows of ``size`` words over each session's records in order, cut at words, never across sessions.

    A window may hold parts of several records and knows exactly which. ``overlap`` counts up to ``size - 1``.
    """
    step = max(1, params.size - min(params.overlap, params.size - 1))
    made: list[list[Span]] = []
    for session in by_session(history):
        places = [(r, m.start(), m.end()) for r in session for m in _WORD.finditer(history.texts[r])]
        starts = range(0, max(1, len(places) - params.size + step), step) if places else ()
        made.extend(_spans(places[s : s + params.size]) for s in starts)
    spans = np.array([span for unit in made for span in unit], np.int64).reshape(-1, 3)
    offsets = np.zeros(len(made) + 1, np.int64)
    np.cumsum([len(unit) for unit in made], out=offsets[1:])
    texts = tuple(JOIN.join(history.texts[r][a:b] for r, a, b in unit) for unit in made)
    return Units(texts, offsets, spans[:, 0].copy(), spans[:, 1].copy(), spans[:, 2].copy())


def _spans(words: list[Span]) -> list[Span]:
    """Words of one window joined to one span a record."""
    spans: list[Span] = []
    for row, start, end in words:
        if spans and spans[-1][0] == row:
            spans[-1] = (row, spans[-1][1], end)
        else:
            spans.append((row, start, end))
    return spans
