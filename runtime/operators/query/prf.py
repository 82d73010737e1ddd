"""Pseudo-relevance feedback: terms of the first hits join the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Cascade, Params, Tune, operator, param
from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.indexes.lexical import Corpus
from designsearch.runtime.lexical_tokens import Stem, query_terms, stem_all
from designsearch.runtime.memory import Memory
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import FloatArray, IntArray, Queries, Query


class PrfParams(Params):
    """Parameters of ``prf``."""

    feedback: Cascade = param(about="the inner cascade whose first hits give the terms")
    documents: int = param(10, ge=1, le=200, about="how many hits are read", tune=Tune(3, 30, log=True))
    terms: int = param(20, ge=1, le=500, about="how many terms are added", tune=Tune(5, 60, log=True))
    original: float = param(0.6, ge=0.0, le=1.0, about="weight of the question's own terms", tune=Tune(0.3, 0.95))
    max_df: float = param(
        0.1, gt=0.0, le=1.0, about="terms in a larger share of the units are never added", tune=Tune(0.02, 0.5)
    )
    view: str = param("raw", about="which text of the hits is read")
    store: str | None = param(None, about="which store the hits are read from; the only one where there is one")
    stem: Stem = param("english", about="Snowball stemmer; that of the bm25 stage which reads the terms")


@operator("prf", "query", PrfParams)
def prf(params: PrfParams, queries: Queries, m: Memory) -> Queries:
    """Add a keywords query of the terms that the first hits of an inner cascade share (RM3, Abdul-Jaleel et al. 2004).

    P(t | R) is the mean over the hits of P(t | d), weighted by the hits' scores (shifted to be positive). The best
    ``terms`` are kept and sum to 1 - ``original``; the question's own terms weigh ``original`` divided by their number.
    """
    ranking = run_cascade(m, params.feedback, queries, "feedback").ranking
    store = m.store(params.store)
    corpus = store.corpus(params.view, params.stem, "none")
    allowed = _allowed(corpus, store.postings(params.view, params.stem, "none").frequencies, params)
    names = list(corpus.vocabulary)
    made = []
    for q, own in enumerate(queries.queries):
        ids, scores = ranking.of_question(q)
        inside = (ids >= store.base) & (ids < store.base + len(store))
        terms = _relevance_model(ids[inside][: params.documents] - store.base, scores[inside], corpus, allowed, params)
        made.append(_joined(own, [(names[t], w) for t, w in terms], params))
    return Queries(queries.questions, queries.as_of, tuple(made))


def _joined(own: tuple[Query, ...], terms: list[tuple[str, float]], params: PrfParams) -> tuple[Query, ...]:
    if not terms:
        return own
    mass = sum(_mass(query, params.stem) for query in own if query.kind != "passage")
    total = sum(weight for _, weight in terms)
    # the question's terms keep a weight of 1 each, so the others are scaled to stand in the right ratio to them
    share = (1.0 - params.original) / max(params.original, 1e-6) * (mass or 1.0) / total
    words = " ".join(name for name, _ in terms)
    return (*own, Query("keywords", words, 1.0, tuple((name, weight * share) for name, weight in terms)))


def _mass(query: Query, stem: Stem) -> float:
    """The sum of the weights of a query's terms."""
    weights = sum(weight for _, weight in query.terms) if query.terms else len(query_terms(query.text, stem, "none"))
    return weights * query.weight


def _allowed(corpus: Corpus, frequencies: IntArray, params: PrfParams) -> NDArray[np.bool_]:
    """Shape (vocabulary,): neither a stop word nor in too many units."""
    stopwords = set(stem_all(sorted(ENGLISH), params.stem))
    plain = np.array([term not in stopwords for term in corpus.vocabulary], bool)
    return plain & (frequencies <= max(1.0, params.max_df * len(corpus.first)))


def _relevance_model(
    units: IntArray, scores: FloatArray, corpus: Corpus, allowed: NDArray[np.bool_], params: PrfParams
) -> list[tuple[int, float]]:
    """Terms with P(t | R), the most probable first."""
    weight = scores[: len(units)]
    weight = weight - min(0.0, float(weight.min(initial=0.0))) + 1e-9
    model = np.zeros(len(corpus.vocabulary))
    for unit, share in zip(units.tolist(), (weight / weight.sum()).tolist(), strict=True):
        tokens = corpus.tokens[corpus.offsets[unit] : corpus.offsets[unit + 1]]
        model += np.bincount(tokens, minlength=len(model)) * (share / max(1, len(tokens)))
    found = np.flatnonzero(allowed & (model > 0))
    best = found[np.lexsort((found, -model[found]))][: params.terms]
    return list(zip(best.tolist(), model[best].tolist(), strict=True))
