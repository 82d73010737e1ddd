"""The second BM25 engine: rank-bm25's Okapi, kept for comparison with published results.

Its inverse document frequency can be zero or negative for a common term, so a text counts as matching when it shares a
term with the query, whatever the score.
"""

from __future__ import annotations

import numpy as np
from rank_bm25 import BM25Okapi

from designsearch.runtime.indexes.lexical import Corpus, Weighted
from designsearch.runtime.records import FloatArray, IntArray

LEAST = 1e-6
"""The score of the worst match where scores have to be shifted above 0."""


class OkapiIndex:
    """Okapi BM25 (rank-bm25: epsilon 0.25) behind the interface of ``LexicalIndex``."""

    def __init__(self, corpus: Corpus, k1: float, b: float) -> None:
        self.size = len(corpus.offsets) - 1
        self.vocabulary = corpus.vocabulary
        names = list(corpus.vocabulary)
        rows = np.split(corpus.tokens, corpus.offsets[1:-1]) if self.size else []
        texts = [[names[t] for t in row] for row in rows]
        # rank-bm25 divides by the number of documents and by their mean length: it cannot hold an empty corpus
        self._model = BM25Okapi(texts, k1=k1, b=b) if len(corpus.tokens) else None
        self._size_held = 250 * len(corpus.tokens)

    @property
    def nbytes(self) -> int:
        """Bytes held, roughly: rank-bm25 keeps a dictionary a text."""
        return self._size_held

    def texts_with(self, term: str) -> IntArray:
        """The texts that hold a term, shape (texts with it,)."""
        held = self._model.doc_freqs if self._model is not None and term in self.vocabulary else []
        return np.flatnonzero(np.fromiter((term in counts for counts in held), bool, len(held)))

    def document_frequency(self, term: str) -> int:
        """Number of texts that hold a term."""
        return len(self.texts_with(term))

    def scores(self, query: Weighted) -> FloatArray:
        """Shape (size,): the score of every text, shifted where a matching text would not be above the others' 0."""
        total = np.zeros(self.size)
        matches = np.zeros(self.size, bool)
        if self._model is None:
            return total
        for term, weight in query:
            if term in self.vocabulary:
                total += weight * self._model.get_scores([term])
                matches[self.texts_with(term)] = True
        lowest = total[matches].min() if matches.any() else 1.0
        shift = -lowest + LEAST if lowest <= 0 else 0.0
        return np.where(matches, total + shift, 0.0)
