"""The second BM25 engine: rank-bm25's Okapi, kept for comparison with published results.

Its inverse document frequency can be zero or negative for a common term, so a text counts as matching when it shares a
term with the query, whatever the score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from designsearch.runtime.indexes.lexical import Corpus, Weighted


class OkapiIndex:
    """Okapi BM25 (rank-bm25: epsilon 0.25) behind the interface of ``LexicalIndex``."""

    def __init__(self, corpus: Corpus, k1: float, b: float) -> None:
        self.size = len(corpus.offsets) - 1
        self.vocabulary = corpus.vocabulary
        names = list(corpus.vocabulary)
        rows = np.split(corpus.tokens, corpus.offsets[1:-1]) if self.size else []
        self._texts = [[names[t] for t in row] for row in rows]
        # rank-bm25 divides by the number of documents and by their mean length: it cannot hold an empty corpus
        self._model = BM25Okapi(self._texts, k1=k1, b=b) if len(corpus.tokens) else None

    def document_frequency(self, term: str) -> int:
        """Number of texts that hold a term."""
        return sum(term in freqs for freqs in self._model.doc_freqs) if self._model else 0

    def scores(self, query: Weighted) -> NDArray[np.float32]:
        """Shape (size,): the score of every text, shifted so that each matching text is above 0 and others are 0."""
        total = np.zeros(self.size)
        matches = np.zeros(self.size, bool)
        if self._model is None:
            return total.astype(np.float32)
        for term, weight in query:
            if term in self.vocabulary:
                total += weight * self._model.get_scores([term])
                matches |= np.fromiter((term in freqs for freqs in self._model.doc_freqs), bool, self.size)
        lowest = total[matches].min(initial=0.0)
        shift = -lowest + 1e-6 if lowest <= 0 else 0.0
        return np.where(matches, total + shift, 0.0).astype(np.float32)
