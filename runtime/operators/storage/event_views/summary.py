"""An event in its most central sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.words import WORD
from designsearch.runtime.operators.storage.event_views.sentences import Read, Sentence, best_first
from designsearch.runtime.records import IntArray


def summaries(read: Read, events: int, words: int) -> list[str]:
    """The sentences nearest to the mean of an event, in the order in which they were said.

    The centroid method of Radev et al. (2004), over sentence embeddings. Relative dates have the day that
    they mean behind them. Who speaks is not said: in a talk of two it would make all summaries alike.

    Args:
        read: the events, read.
        events: their number.
        words: the most words of a summary; one sentence stands even where it is longer.

    Returns:
        Shape (events,); empty for an event without sentences.
    """
    lengths = np.fromiter((len(WORD.findall(s.text)) for s in read.sentences), np.int64, len(read.sentences))
    made: list[list[str]] = [[] for _ in range(events)]
    for i in _chosen(read, lengths, words):
        made[read.sentences[i].event].append(dated(read.sentences[i]))
    return [" ".join(dict.fromkeys(parts)) for parts in made]


def _chosen(read: Read, lengths: IntArray, words: int) -> Sequence[int]:
    """Rows of the best sentences of each event that are together not too long, in order."""
    order, ranks = best_first(read.owners, read.centrality)
    used = np.cumsum(lengths[order])
    firsts = np.flatnonzero(ranks == 0)
    before = np.repeat(used[firsts] - lengths[order[firsts]], np.diff([*firsts, len(order)]))
    chosen: list[int] = np.sort(order[(used - before <= words) | (ranks == 0)]).tolist()
    return chosen


def dated(sentence: Sentence) -> str:
    """The sentence with the days that its relative dates mean, as in ``yesterday (2023-05-07)``."""
    text, done, parts = sentence.text, 0, []
    for span in dates_in(text, sentence.day) if sentence.day else ():
        if span.relative:
            end = span.start + len(span.text.rstrip("."))
            parts.append(f"{text[done:end]} ({span.iso})")
            done = end
    return "".join([*parts, text[done:]])
