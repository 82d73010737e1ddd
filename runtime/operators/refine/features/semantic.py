"""Features that compare meanings: cosine of the embeddings, and soft matching of single words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import operator
from designsearch.runtime.cache import content_key
from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.indexes.lexical import Corpus
from designsearch.runtime.lexical_tokens import words
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.features.base import FeatureParams, per_question
from designsearch.runtime.operators.refine.features.lexical import inverse_frequencies
from designsearch.runtime.records import FloatArray, IntArray, Queries, Rankings

THRESHOLD = 0.3
"""Cosine from which one word begins to stand for another."""


@operator("cosine", "feature", FeatureParams)
def cosine(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Cosine of the embeddings of question and view."""
    index = m.store(None).vectors(params.view)
    asked = m.services.embedder.embed(queries.questions)

    def values(q: int, ids: IntArray) -> FloatArray:
        return (index.vectors[ids] @ asked[q]).astype(np.float64)

    return per_question(ranking, m, values)


@operator("centered_cosine", "feature", FeatureParams)
def centered_cosine(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Cosine after the mean vector of the store is taken from both sides (the common component, Arora et al. 2017)."""
    vectors = m.store(None).vectors(params.view).vectors
    if not len(vectors):
        return np.zeros(len(ranking.ids))
    mean = vectors.mean(axis=0)
    own = _unit_rows(vectors - mean)
    asked = _unit_rows(m.services.embedder.embed(queries.questions) - mean)

    def values(q: int, ids: IntArray) -> FloatArray:
        return (own[ids] @ asked[q]).astype(np.float64)

    return per_question(ranking, m, values)


@operator("soft_terms", "feature", FeatureParams)
def soft_terms(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Words of the question met by the most similar word of the view, each weighted by its soft rarity.

    Similarity of two words is their embeddings' cosine after centring on the vocabulary, mapped from [0.3, 1] to
    [0, 1]; an equal word has 1. A word's soft document frequency sums the similarities of the vocabulary to it, each
    times the number of units that hold the word; its weight is the inverse document frequency of that.
    """
    store = m.store(None)
    corpus = store.corpus(params.view, "none", "english")
    key = content_key("word-vectors", store.view_key(params.view), m.services.embedder.fingerprint)
    held = m.services.cache.arrays(key, lambda: _word_vectors(corpus, m))
    if not len(corpus.tokens):
        return np.zeros(len(ranking.ids))

    def values(q: int, ids: IntArray) -> FloatArray:
        asked = [w for w in dict.fromkeys(words(queries.questions[q])) if w not in ENGLISH]
        if not asked:
            return np.zeros(len(ids))
        near = _similarities(asked, corpus, held["vectors"], held["mean"], m)
        frequency = np.minimum(near @ held["frequency"], len(store))
        weights = np.where(frequency > THRESHOLD, inverse_frequencies(len(store), frequency), 0.0)
        return weights @ _best_match(near, corpus, ids)

    return per_question(ranking, m, values)


def _unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)


def _word_vectors(corpus: Corpus, m: Memory) -> dict[str, NDArray[np.float32]]:
    """Centred unit vectors of the vocabulary, their mean, and how many units hold each word."""
    vectors = m.services.embedder.embed(list(corpus.vocabulary))
    mean = vectors.mean(axis=0) if len(vectors) else np.zeros(m.services.embedder.dimensions, np.float32)
    texts = np.repeat(np.arange(len(corpus.offsets) - 1), corpus.lengths)
    pairs = np.unique(texts * (len(vectors) + 1) + corpus.tokens)
    frequency = np.bincount(pairs % (len(vectors) + 1), minlength=len(vectors)).astype(np.float32)
    return {"vectors": _unit_rows(vectors - mean), "mean": mean, "frequency": frequency}


def _similarities(
    asked: list[str], corpus: Corpus, vectors: NDArray[np.float32], mean: NDArray[np.float32], m: Memory
) -> NDArray[np.float32]:
    """Shape (asked, vocabulary), in [0, 1]."""
    cosines = _unit_rows(m.services.embedder.embed(asked) - mean) @ vectors.T
    near = np.clip((cosines - THRESHOLD) / (1.0 - THRESHOLD), 0.0, 1.0)
    for row, word in enumerate(asked):
        number = corpus.vocabulary.get(word)
        if number is not None:
            near[row, number] = 1.0
    return near


def _best_match(near: NDArray[np.float32], corpus: Corpus, ids: IntArray) -> NDArray[np.float32]:
    """Shape (asked, ids): the similarity of the nearest word of each text; 0 for a text without words."""
    sizes = corpus.lengths[ids]
    starts = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    index = np.repeat(corpus.offsets[ids] - starts[:-1], sizes) + np.arange(starts[-1])
    best = np.zeros((len(near), len(ids)), np.float32)
    filled = np.flatnonzero(sizes)
    if len(filled):
        best[:, filled] = np.maximum.reduceat(near[:, corpus.tokens[index]], starts[:-1][filled], axis=1)
    return best
