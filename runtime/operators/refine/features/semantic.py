"""Features that compare meanings: cosine of the embeddings, and soft matching of single words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import operator
from designsearch.runtime.cache import content_key
from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.indexes.postings import Postings
from designsearch.runtime.indexes.static_embeddings import unit_rows
from designsearch.runtime.lexical_tokens import words
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.features.base import FeatureParams, per_question
from designsearch.runtime.operators.refine.features.lexical import inverse_frequencies, postings
from designsearch.runtime.records import FloatArray, IntArray, Queries, Rankings

THRESHOLD = 0.3
"""Cosine from which one word begins to stand for another."""


@operator("cosine", "feature", FeatureParams)
def cosine(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Cosine of the embeddings of question and view."""
    vectors = m.store(None).vectors(params.view).vectors
    return _cosines(vectors, m.services.embedder.embed(queries.questions), ranking, m)


@operator("centered_cosine", "feature", FeatureParams)
def centered_cosine(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Cosine after the mean vector of the store is taken from both sides (the common component, Arora et al. 2017)."""
    store = m.store(None)
    if not len(store):
        return np.zeros(len(ranking.ids))
    key = content_key("centred", store.view_key(params.view), m.services.embedder.fingerprint)
    mean, centred = m.services.cache.get(key, lambda: _centred(store.vectors(params.view).vectors))
    asked = m.services.embedder.embed(queries.questions)
    return _cosines(centred, unit_rows(asked - mean), ranking, m)


def _centred(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Their mean, and unit vectors after it was taken from them."""
    mean = vectors.mean(axis=0)
    return mean, unit_rows(vectors - mean)


def _cosines(vectors: NDArray[np.float32], asked: NDArray[np.float32], ranking: Rankings, m: Memory) -> FloatArray:
    """Shape (entries,); summed in double precision and rounded, so that equal texts have equal values."""
    sought = asked.astype(np.float64)

    def values(q: int, ids: IntArray) -> FloatArray:
        return np.asarray(np.asarray(vectors[ids].astype(np.float64) @ sought[q], np.float32), np.float64)

    return per_question(ranking, m, values)


@operator("soft_terms", "feature", FeatureParams)
def soft_terms(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Words of the question met by the most similar word of the view, each weighted by its soft rarity.

    Similarity of two words is their embeddings' cosine after centring on the vocabulary, mapped from [0.3, 1] to
    [0, 1]; an equal word has 1. A word's soft document frequency sums the similarities of the vocabulary to it, each
    times the number of units that hold the word; its weight is the inverse document frequency of that.
    """
    store = m.store(None)
    held = postings(params, m, "none")
    key = content_key("word-vectors", store.view_key(params.view), m.services.embedder.fingerprint)
    made = m.services.cache.arrays(key, lambda: _word_vectors(held, m))

    def values(q: int, ids: IntArray) -> FloatArray:
        asked = [w for w in dict.fromkeys(words(queries.questions[q])) if w not in ENGLISH]
        total = np.zeros(held.size)
        if asked and held.vocabulary:
            for near in _similarities(asked, held, made["vectors"], made["mean"], m):
                similar = np.flatnonzero(near)
                frequency = min(float(near[similar] @ held.frequencies[similar]), held.size)
                if frequency > THRESHOLD:
                    weight = float(inverse_frequencies(held.size, np.array(frequency)))
                    total += weight * held.highest(similar, near[similar].astype(np.float64))
        return total[ids]

    return per_question(ranking, m, values)


def _word_vectors(held: Postings, m: Memory) -> dict[str, NDArray[np.float32]]:
    """Centred unit vectors of the vocabulary, and their mean before that."""
    vectors = m.services.embedder.embed(list(held.vocabulary))
    mean = vectors.mean(axis=0) if len(vectors) else np.zeros(m.services.embedder.dimensions, np.float32)
    return {"vectors": unit_rows(vectors - mean), "mean": mean}


def _similarities(
    asked: list[str], held: Postings, vectors: NDArray[np.float32], mean: NDArray[np.float32], m: Memory
) -> NDArray[np.float32]:
    """Shape (asked, vocabulary), in [0, 1]."""
    cosines = unit_rows(m.services.embedder.embed(asked) - mean) @ vectors.T
    near: NDArray[np.float32] = np.clip((cosines - THRESHOLD) / (1.0 - THRESHOLD), 0.0, 1.0)
    for row, word in enumerate(asked):
        number = held.vocabulary.get(word)
        if number is not None:
            near[row, number] = 1.0
    return near
