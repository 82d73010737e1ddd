"""Features that compare words: BM25, share of the question covered, rarest shared word, shared pairs of words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from designsearch.dsl.operators import operator
from designsearch.runtime.cache import content_key
from designsearch.runtime.indexes.lexical import Corpus, LexicalIndex
from designsearch.runtime.indexes.postings import Postings
from designsearch.runtime.lexical_tokens import Stem, query_terms
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


def postings(params: FeatureParams, m: Memory, stem: Stem) -> Postings:
    """Which units hold a term in the view, function words left out."""
    return m.store(None).postings(params.view, stem, "english")


def _weights(terms: list[str], held: Postings) -> FloatArray:
    return inverse_frequencies(held.size, np.array([held.frequency(t) for t in terms], np.float64))


def _sum_over(terms: list[str], held: Postings) -> FloatArray:
    """Shape (units,): sum of the inverse document frequencies of the terms that each unit holds."""
    total = np.zeros(held.size)
    for term, weight in zip(terms, _weights(terms, held).tolist(), strict=True):
        total[held.holding(term)] += weight
    return total


@operator("coverage", "feature", FeatureParams)
def coverage(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Share of the question's words that the view holds, each weighted by its inverse document frequency."""
    held = postings(params, m, "english")

    def values(q: int, ids: IntArray) -> FloatArray:
        terms = [t for t in dict.fromkeys(_terms(queries.questions[q])) if held.frequency(t)]
        return np.asarray(_sum_over(terms, held)[ids] / max(float(_weights(terms, held).sum()), 1e-9), np.float64)

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
    held = postings(params, m, "english")

    def values(q: int, ids: IntArray) -> FloatArray:
        return _sum_over(list(dict.fromkeys(t for w in pick(queries.questions[q]) for t in _terms(w))), held)[ids]

    return per_question(ranking, m, values)


@operator("rarest", "feature", FeatureParams)
def rarest(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Inverse document frequency of the rarest word that the question and the view share; 0 where they share none."""
    held = postings(params, m, "english")

    def values(q: int, ids: IntArray) -> FloatArray:
        terms = [t for t in dict.fromkeys(_terms(queries.questions[q])) if held.frequency(t)]
        numbers = np.array([held.vocabulary[t] for t in terms], np.int64)
        return held.highest(numbers, _weights(terms, held))[ids]

    return per_question(ranking, m, values)


@operator("bigrams", "feature", FeatureParams)
def bigrams(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Sum of ln(1 + N / n) over pairs of neighbouring words that question and view share; n units hold the pair."""
    corpus = _corpus(params, m)
    size = len(corpus.vocabulary) + 1
    key = content_key("bigrams", m.store(None).view_key(params.view))
    pairs, owners = m.services.cache.get(key, lambda: _bigrams(corpus, size))
    copies = np.bincount(corpus.first, minlength=1)

    def values(q: int, ids: IntArray) -> FloatArray:
        numbers = [corpus.vocabulary.get(t, -1) for t in _terms(queries.questions[q])]
        total = np.zeros(len(corpus.first))
        for a, b in pairwise(numbers):
            if a >= 0 and b >= 0:
                low, high = np.searchsorted(pairs, [a * size + b, a * size + b + 1])
                if high > low:
                    held = owners[low:high]
                    total[held] += np.log1p(len(total) / copies[held].sum())
        return total[corpus.first[ids]]

    return per_question(ranking, m, values)


def _bigrams(corpus: Corpus, size: int) -> tuple[IntArray, IntArray]:
    """Pair numbers, sorted, and the text of each (the first of its equals); a pair counts once a text."""
    texts, tokens = corpus.distinct()
    wide = tokens.astype(np.int64)
    same = texts[1:] == texts[:-1]
    pairs, held = wide[:-1][same] * size + wide[1:][same], texts[1:][same]
    order = np.lexsort((held, pairs))
    pairs, held = pairs[order], held[order]
    new = np.ones(len(pairs), bool)
    new[1:] = (np.diff(pairs) != 0) | (np.diff(held) != 0)
    return pairs[new], held[new]
