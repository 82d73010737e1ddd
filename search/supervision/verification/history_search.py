"""Search of a whole history for records that could answer a question: BM25 and embeddings, fused by their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.embedder import Embedder
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.indexes.lexical import LexicalIndex, best, tokenize
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.indexes.vectors import VectorIndex
from designsearch.runtime.lexical_tokens import query_terms
from designsearch.runtime.records import NO_TIME, FloatArray, History

K1, B = 1.2, 0.75
KAPPA = 60.0
"""Reciprocal ranks are 1 / (60 + rank) (Cormack et al. 2009)."""
DEPTH = 100
"""Ranks of each search that count."""
BLOCK = 64
"""Questions that are searched for together."""


class HistorySearch:
    """Finds the records closest to a question; both indexes are built once, on first use.

    Args:
        history: the records.
        embedder: the bundled one where not given.
        allowed: shape (records,): rows that may be found; all where not given.
    """

    def __init__(
        self, history: History, embedder: Embedder | None = None, allowed: NDArray[np.bool_] | None = None
    ) -> None:
        self.history = history
        self._embedder = embedder or StaticEmbedder()
        self._filled = np.array([bool(text.strip()) for text in history.texts], bool)
        if allowed is not None:
            self._filled &= allowed

    @cached_property
    def _lexical(self) -> LexicalIndex:
        return LexicalIndex(tokenize(self.history.texts, "english", "english"), "lucene", K1, B)

    @cached_property
    def _dense(self) -> VectorIndex:
        return VectorIndex(self._embedder.embed(self.history.texts))

    def closest(
        self,
        questions: Sequence[str],
        exclude: Sequence[frozenset[int]],
        k: int,
        allowed: NDArray[np.bool_] | None = None,
        as_of: Sequence[str | None] | None = None,
    ) -> list[list[int]]:
        """The ``k`` records closest to each question, best first, ties by row.

        Args:
            questions: their words.
            exclude: for each question rows that are left out.
            k: the most rows a question.
            allowed: shape (records,): rows that may be found; all where not given.
            as_of: for each question an ISO 8601 time; records of a later time are left out.
        """
        free = self._filled if allowed is None else self._filled & allowed
        times = as_of or [None] * len(questions)
        found: list[list[int]] = []
        for start in range(0, len(questions), BLOCK):
            block = list(questions[start : start + BLOCK])
            cosines = self._dense.cosines(self._embedder.embed(block))
            for i, question in enumerate(block, start):
                may = free & self._known_by(times[i])
                may[[row for row in exclude[i] if row < len(may)]] = False
                found.append(_fused((self._words(question), cosines[i - start]), may, k))
        return found

    def _words(self, question: str) -> NDArray[np.float32]:
        return self._lexical.scores(
            [(term, 1.0) for term in dict.fromkeys(query_terms(question, "english", "english"))]
        )

    def _known_by(self, as_of: str | None) -> NDArray[np.bool_]:
        """Rows of that time or before, or of no known time."""
        if not as_of:
            return np.ones(len(self.history), bool)
        asked = parse_time(as_of)
        early: NDArray[np.bool_] = (self.history.times < asked.local + asked.length) | (self.history.times == NO_TIME)
        return early


def _fused(scores: Sequence[NDArray[np.float32]], may: NDArray[np.bool_], k: int) -> list[int]:
    total: FloatArray = np.zeros(len(may))
    for one in scores:
        ranked, _ = best(np.where(may, one, np.float32(0)), DEPTH)
        total[ranked] += 1.0 / (KAPPA + 1 + np.arange(len(ranked)))
    return [int(row) for row in best(total, k)[0]] if k > 0 else []
