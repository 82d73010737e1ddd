"""Which texts hold a term: the inverted index behind features that ask for presence, not for frequency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from designsearch.runtime.indexes.lexical import Corpus
from designsearch.runtime.records import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Postings:
    """Texts by term.

    Attributes:
        size: number of texts.
        vocabulary: term to number.
        offsets: shape (terms + 1,): term ``t`` stands in ``texts[offsets[t]:offsets[t + 1]]``.
        texts: the texts of each term, ascending, each once.
    """

    size: int
    vocabulary: dict[str, int]
    offsets: IntArray
    texts: IntArray

    @classmethod
    def of(cls, corpus: Corpus) -> Postings:
        """Invert a corpus; equal texts are read once."""
        # slow to import, and checking a design needs no index
        from scipy.sparse import csr_matrix

        size, terms = len(corpus.offsets) - 1, len(corpus.vocabulary)
        kept = np.flatnonzero(corpus.first == np.arange(size))
        ends = np.concatenate([[0], np.cumsum(corpus.lengths[kept])])
        _, tokens = corpus.distinct()
        held = csr_matrix((np.ones(len(tokens), np.bool_), tokens, ends), shape=(len(kept), terms))
        held.sum_duplicates()
        by_term = held[np.searchsorted(kept, corpus.first)].tocsc()
        return cls(size, corpus.vocabulary, by_term.indptr.astype(np.int64), by_term.indices.astype(np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.offsets.nbytes + self.texts.nbytes

    @property
    def frequencies(self) -> IntArray:
        """Shape (terms,): number of texts that hold each term."""
        return np.diff(self.offsets)

    def frequency(self, term: str) -> int:
        """Number of texts that hold a term."""
        number = self.vocabulary.get(term)
        return 0 if number is None else int(self.offsets[number + 1] - self.offsets[number])

    def holding(self, term: str) -> IntArray:
        """The texts that hold a term."""
        number = self.vocabulary.get(term)
        if number is None:
            return np.zeros(0, np.int64)
        return self.texts[self.offsets[number] : self.offsets[number + 1]]

    def highest(self, terms: IntArray, values: FloatArray) -> FloatArray:
        """The highest value among the terms that each text holds, shape (size,); 0 where it holds none of them.

        Args:
            terms: term numbers.
            values: a positive value a term.
        """
        order = np.argsort(values, kind="stable")
        terms, values = terms[order], values[order]
        sizes = self.offsets[terms + 1] - self.offsets[terms]
        starts = np.zeros(len(terms) + 1, np.int64)
        np.cumsum(sizes, out=starts[1:])
        index = np.repeat(self.offsets[terms] - starts[:-1], sizes) + np.arange(starts[-1])
        best = np.zeros(self.size)
        # values ascend and assignment goes from left to right, so the highest one stays
        best[self.texts[index]] = np.repeat(values, sizes)
        return best
