"""Pseudo-relevance feedback: terms of the first hits join the query."""

from __future__ import annotations

import numpy as np

from designsearch.dsl.operators import Cascade, Params, Tune, operator, param
from designsearch.runtime.function_words import ENGLISH
from designsearch.runtime.indexes.lexical import Corpus
from designsearch.runtime.lexical_tokens import Stem, stem_all
from designsearch.runtime.memory import Memory
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
    ranking = m.cascade(params.feedback, queries)
    store = m.store(params.store)
    corpus = store.corpus(params.view, params.stem, "none")
    allowed = _allowed(corpus, params)
    names = list(corpus.vocabulary)
    made = []
    for q, own in enumerate(queries.queries):
        ids, scores = ranking.of_question(q)
        inside = (ids >= store.base) & (ids < store.base + len(store))
        terms = _relevance_model(ids[inside][: params.documents] - store.base, scores[inside], corpus, allowed, params)
        made.append(_joined(own, [(names[t], w) for t, w in terms], params.original))
    return Queries(queries.questions, queries.as_of, tuple(made))


def _joined(own: tuple[Query, ...], terms: list[tuple[str, float]], original: float) -> tuple[Query, ...]:
    if not terms:
        return own
    lexical = max(1, sum(len(q.text.split()) for q in own if q.kind != "passage"))
    total = sum(weight for _, weight in terms)
    share = (1.0 - original) / max(original, 1e-6) * lexical / total
    words = " ".join(name for name, _ in terms)
    return (*own, Query("keywords", words, 1.0, tuple((name, weight * share) for name, weight in terms)))


def _allowed(corpus: Corpus, params: PrfParams) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Shape (vocabulary,): neither a stop word nor in too many units."""
    size = max(1, len(corpus.offsets) - 1)
    owners = np.repeat(np.arange(size), corpus.lengths) if len(corpus.tokens) else np.zeros(0, np.int64)
    pairs = np.unique(owners * (len(corpus.vocabulary) + 1) + corpus.tokens)
    frequency = np.bincount(pairs % (len(corpus.vocabulary) + 1), minlength=len(corpus.vocabulary))
    stopwords = set(stem_all(sorted(ENGLISH), params.stem))
    plain = np.array([term not in stopwords for term in corpus.vocabulary], bool)
    return plain & (frequency <= max(1.0, params.max_df * size))


def _relevance_model(
    units: IntArray,
    scores: FloatArray,
    corpus: Corpus,
    allowed: np.ndarray[tuple[int], np.dtype[np.bool_]],
    params: PrfParams,
) -> list[tuple[int, float]]:
    """Terms with P(t | R), the most probable first."""
    weight = scores[: len(units)]
    weight = weight - min(0.0, float(weight.min(initial=0.0))) + 1e-9
    model: dict[int, float] = {}
    for unit, share in zip(units.tolist(), (weight / weight.sum()).tolist(), strict=True):
        tokens = corpus.tokens[corpus.offsets[unit] : corpus.offsets[unit + 1]]
        for token in tokens.tolist():
            if allowed[token]:
                model[token] = model.get(token, 0.0) + share / len(tokens)
    return sorted(model.items(), key=lambda item: (-item[1], item[0]))[: params.terms]
