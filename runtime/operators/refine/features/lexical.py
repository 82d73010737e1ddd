"""Features that compare words: BM25, share of the question covered, rarest shared word, shared pairs of words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from designsearch.dsl.operators import operator
from designsearch.runtime.cache import content_key
from designsearch.runtime.indexes.lexical import Corpus, LexicalIndex
from designsearch.runtime.lexical_tokens import query_terms
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.features.base import FeatureParams, per_question
from designsearch.runtime.records import FloatArray, IntArray, Queries, Rankings

K1, B = 1.2, 0.75


def _index(params: FeatureParams, m: Memory) -> LexicalIndex:
    index = m.store(None).lexical(params.view, "english", "english", "lucene", K1, B, "bm25s")
    if not isinstance(index, LexicalIndex):
        raise TypeError("features are computed by bm25s")
    return index


def _corpus(params: FeatureParams, m: Memory) -> Corpus:
    return m.store(None).corpus(params.view, "english", "english")


def _terms(question: str) -> list[str]:
    return query_terms(question, "english", "english")


def inverse_frequencies(size: int, frequencies: FloatArray) -> FloatArray:
    """ln(1 + (N - n + 0.5) / (n + 0.5)), the inverse document frequency of Lucene's BM25."""
    return np.log(1.0 + (size - frequencies + 0.5) / (frequencies + 0.5))


@operator("bm25", "feature", FeatureParams)
def bm25(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """BM25 of the question in the view (k1 1.2, b 0.75, English stems, no function words)."""
    index = _index(params, m)

    def values(q: int, ids: IntArray) -> FloatArray:
        return index.scores([(t, 1.0) for t in dict.fromkeys(_terms(queries.questions[q]))])[ids].astype(np.float64)

    return per_question(ranking, m, values)


def _shared(corpus: Corpus, terms: list[str], ids: IntArray) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Shape (terms, ids): whether each text holds each term."""
    numbers = np.array([corpus.vocabulary.get(t, -1) for t in terms], np.int64)
    sizes = corpus.lengths[ids]
    starts = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    index = np.repeat(corpus.offsets[ids] - starts[:-1], sizes) + np.arange(starts[-1])
    tokens = corpus.tokens[index]
    owners = np.repeat(np.arange(len(ids)), sizes)
    found = np.zeros((len(terms), len(ids)), bool)
    for row, number in enumerate(numbers):
        found[row, owners[tokens == number]] = True
    return found


def _weights(terms: list[str], index: LexicalIndex) -> FloatArray:
    return inverse_frequencies(index.size, np.array([index.document_frequency(t) for t in terms], np.float64))


@operator("coverage", "feature", FeatureParams)
def coverage(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Share of the question's words that the view holds, each weighted by its inverse document frequency."""
    index, corpus = _index(params, m), _corpus(params, m)

    def values(q: int, ids: IntArray) -> FloatArray:
        terms = [t for t in dict.fromkeys(_terms(queries.questions[q])) if index.document_frequency(t)]
        weights = _weights(terms, index)
        return weights @ _shared(corpus, terms, ids) / max(float(weights.sum()), 1e-9)

    return per_question(ranking, m, values)


def shared_words(
    params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory, pick: Callable[[str], list[str]]
) -> FloatArray:
    """Sum of the inverse document frequencies of some of the question's words that the view holds, shape (entries,).

    Args:
        params: which view.
        ranking: the candidates.
        queries: the questions.
        m: the memory.
        pick: the words of a question that count.
    """
    index, corpus = _index(params, m), _corpus(params, m)

    def values(q: int, ids: IntArray) -> FloatArray:
        terms = list(dict.fromkeys(t for word in pick(queries.questions[q]) for t in _terms(word)))
        return _weights(terms, index) @ _shared(corpus, terms, ids)

    return per_question(ranking, m, values)


@operator("rarest", "feature", FeatureParams)
def rarest(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Inverse document frequency of the rarest word that the question and the view share; 0 where they share none."""
    index, corpus = _index(params, m), _corpus(params, m)

    def values(q: int, ids: IntArray) -> FloatArray:
        terms = list(dict.fromkeys(_terms(queries.questions[q])))
        return (_weights(terms, index)[:, None] * _shared(corpus, terms, ids)).max(axis=0, initial=0.0)

    return per_question(ranking, m, values)


@operator("bigrams", "feature", FeatureParams)
def bigrams(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Sum of ln(1 + N / n) over pairs of neighbouring words that question and view share; n units hold the pair."""
    corpus = _corpus(params, m)
    size = len(corpus.vocabulary) + 1
    key = content_key("bigrams", m.store(None).view_key(params.view))
    pairs, owners = m.services.cache.get(key, lambda: _bigrams(corpus, size))

    def values(q: int, ids: IntArray) -> FloatArray:
        numbers = [corpus.vocabulary.get(t, -1) for t in _terms(queries.questions[q])]
        total = np.zeros(len(corpus.offsets) - 1)
        for a, b in pairwise(numbers):
            if a >= 0 and b >= 0:
                low, high = np.searchsorted(pairs, [a * size + b, a * size + b + 1])
                if high > low:
                    total[owners[low:high]] += np.log1p(len(total) / (high - low))
        return total[ids]

    return per_question(ranking, m, values)


def _bigrams(corpus: Corpus, size: int) -> tuple[IntArray, IntArray]:
    """Pair numbers, sorted, and the text of each; a pair counts once a text."""
    texts = np.repeat(np.arange(len(corpus.offsets) - 1), corpus.lengths)
    tokens = corpus.tokens.astype(np.int64)
    same = texts[1:] == texts[:-1]
    pairs = np.unique(np.stack([tokens[:-1][same] * size + tokens[1:][same], texts[1:][same]], axis=1), axis=0)
    return pairs[:, 0].copy(), pairs[:, 1].copy()
