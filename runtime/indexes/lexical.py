"""The lexical index: bm25s computes the weights, a few lines of numpy score batches of weighted queries.

bm25s (Lù 2024, "BM25S: orders of magnitude faster lexical search via eager sparse scoring") stores the score that each
term adds to each document, so a query is a sum of columns. Only documents that share a term with the query match;
among equals the lower id comes first.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.lexical_tokens import Stem, Stopwords, is_stopword, stem_all, words
from designsearch.runtime.records import FloatArray, IntArray

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it notes every index that it builds

LEAST = np.float32(1e-6)
"""The least that a shared term is worth."""

BLOCK = 512
"""Texts whose words are numbered together."""

Variant = Literal["lucene", "robertson", "atire", "bm25l", "bm25+"]
Engine = Literal["bm25s", "rank_bm25"]
Weighted = Sequence[tuple[str, float]]
"""A query as weighted index terms."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Tokenised texts.

    Attributes:
        tokens: term numbers of all texts, one after another, shape (tokens,).
        offsets: shape (texts + 1,): where each text's tokens begin.
        vocabulary: term to number.
        first: shape (texts,): the first text that says the same; work on long equal texts is done once.
    """

    tokens: NDArray[np.int32]
    offsets: IntArray
    vocabulary: dict[str, int]
    first: IntArray

    @property
    def lengths(self) -> IntArray:
        """Shape (texts,): tokens a text."""
        return np.diff(self.offsets)

    @property
    def nbytes(self) -> int:
        """Bytes held, roughly."""
        return self.tokens.nbytes + 2 * self.offsets.nbytes + 96 * len(self.vocabulary)

    def distinct(self) -> tuple[IntArray, NDArray[np.int32]]:
        """The text and the number of each token, only of the first of equal texts, in order; shapes (tokens,)."""
        texts = np.repeat(np.arange(len(self.first)), self.lengths)
        kept = (self.first == np.arange(len(self.first)))[texts]
        return texts[kept], self.tokens[kept]


def tokenize(texts: Sequence[str], stem: Stem, stopwords: Stopwords) -> Corpus:
    """Tokenise texts; words are stemmed once each, not once an occurrence."""
    # a view may give many units the same text (a session's), so each distinct text is read once
    place: dict[str, int] = {}
    first = np.fromiter((place.setdefault(text, i) for i, text in enumerate(texts)), np.int64, len(texts))
    surface: dict[str, int] = {}
    flat, ends = _numbered(list(place), surface)
    drop = is_stopword(stopwords)
    vocabulary: dict[str, int] = {}
    mapping = np.full(len(surface), -1, np.int32)
    for number, (word, stemmed) in enumerate(zip(surface, stem_all(list(surface), stem), strict=True)):
        if not drop(word):
            mapping[number] = vocabulary.setdefault(stemmed, len(vocabulary))
    flat = mapping[flat]
    kept = flat >= 0
    # the distinct texts stand in order of their first appearance
    distinct = np.searchsorted(np.fromiter(place.values(), np.int64, len(place)), first)
    bounds = np.concatenate([[0], np.cumsum(kept)])[ends]
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.diff(bounds)[distinct], out=offsets[1:])
    index = np.repeat(bounds[distinct] - offsets[:-1], np.diff(offsets)) + np.arange(offsets[-1])
    return Corpus(flat[kept][index], offsets, vocabulary, first)


def _numbered(texts: Sequence[str], surface: dict[str, int]) -> tuple[NDArray[np.int32], IntArray]:
    """The words of texts as numbers, one after another, and where each text's begin and the last one's end.

    New words are added to ``surface``. A few texts are read at a time, whose words are numbered among themselves first:
    the table of all words of a long history is larger than the processor's cache.
    """
    parts, sizes = [np.zeros(0, np.int32)], [0]
    for start in range(0, len(texts), BLOCK):
        found = [words(text) for text in texts[start : start + BLOCK]]
        flat = list(chain.from_iterable(found))
        own = {word: number for number, word in enumerate(dict.fromkeys(flat))}
        numbers = np.fromiter((surface.setdefault(word, len(surface)) for word in own), np.int32, len(own))
        parts.append(numbers[np.fromiter(map(own.__getitem__, flat), np.int32, len(flat))])
        sizes += [len(row) for row in found]
    return np.concatenate(parts), np.cumsum(sizes, dtype=np.int64)


class LexicalIndex:
    """BM25 over the texts of one view.

    Attributes:
        size: number of texts.
        vocabulary: term to column.
    """

    def __init__(self, corpus: Corpus, variant: Variant, k1: float, b: float) -> None:
        self.size = len(corpus.offsets) - 1
        self.vocabulary = corpus.vocabulary
        if not len(corpus.tokens):
            self._data, self._rows = np.zeros(0, np.float32), np.zeros(0, np.int32)
            self._columns = np.zeros(len(self.vocabulary) + 1, np.int64)
            return
        # slow to import, and checking a design or showing the operators needs no index
        import bm25s
        from bm25s.tokenization import Tokenized

        model = bm25s.BM25(k1=k1, b=b, method=variant, backend="numpy")
        documents = np.split(corpus.tokens, corpus.offsets[1:-1])
        ids = {str(number): number for number in range(len(self.vocabulary))}
        model.index(Tokenized(ids=[d.tolist() for d in documents], vocab=ids), show_progress=False)
        # a weight of 0 (a common word under robertson) is still a match
        self._data, self._rows = np.maximum(model.scores["data"], LEAST), model.scores["indices"]
        self._columns = model.scores["indptr"].astype(np.int64)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self._data.nbytes + self._rows.nbytes + self._columns.nbytes) + 96 * len(self.vocabulary)

    def document_frequency(self, term: str) -> int:
        """Number of texts that hold a term."""
        column = self.vocabulary.get(term)
        return 0 if column is None else int(self._columns[column + 1] - self._columns[column])

    def scores(self, query: Weighted) -> NDArray[np.float32]:
        """Shape (size,): the score of every text, 0 where it shares no term with the query."""
        total = np.zeros(self.size, np.float32)
        for term, weight in query:
            column = self.vocabulary.get(term)
            if column is not None:
                span = slice(self._columns[column], self._columns[column + 1])
                data = self._data[span] if weight == 1.0 else self._data[span] * np.float32(weight)
                total[self._rows[span]] += data
        return total


def best(scores: NDArray[np.floating], k: int, above: float = 0.0) -> tuple[IntArray, FloatArray]:
    """Ids and scores of the ``k`` best entries that exceed ``above``, best first, ties by id."""
    # most entries share no term with a query, and a partition of many equal values is slow
    ids = np.flatnonzero(scores > above)
    values = scores[ids]
    if len(ids) > k:
        kept = values >= np.partition(values, len(ids) - k)[len(ids) - k]
        ids, values = ids[kept], values[kept]
    order = np.lexsort((ids, -values))[:k]
    return ids[order], values[order].astype(np.float64)
