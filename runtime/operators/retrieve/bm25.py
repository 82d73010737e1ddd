"""BM25 over one view of one store."""

from __future__ import annotations

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.indexes.lexical import Engine, LexicalIndex, Variant, best
from designsearch.runtime.indexes.okapi import OkapiIndex
from designsearch.runtime.lexical_tokens import Stem, Stopwords, has_content, query_terms
from designsearch.runtime.memory import Memory, Store
from designsearch.runtime.operators.retrieve.combine import Combine, combine
from designsearch.runtime.records import Queries, Query, Ranked, Rankings


class Bm25Params(Params):
    """Parameters of ``bm25``."""

    view: str = param("raw", about="which text of a unit is searched", tune=True)
    store: str | None = param(None, about="which store is searched; the only one where there is one")
    k: int = param(200, ge=1, le=100_000, about="how many units are kept", tune=Tune(20, 1000, log=True))
    k1: float = param(1.5, ge=0.0, le=10.0, about="how soon a repeated term stops counting", tune=Tune(0.4, 2.5))
    b: float = param(0.75, ge=0.0, le=1.0, about="how much long texts are held back", tune=Tune(0.0, 1.0))
    variant: Variant = param("lucene", about="the formula (bm25s)")
    engine: Engine = param("bm25s", about="bm25s, or rank_bm25's Okapi with its epsilon floor for comparison")
    stem: Stem = param("english", about="Snowball stemmer; none for other languages or exact words")
    stopwords: Stopwords = param("none", about="words that are not indexed", tune=True)
    combine: Combine = param("sum", about="how several queries of one question become one ranking")


def weighted_terms(query: Query, params: Bm25Params) -> list[tuple[str, float]]:
    """The index terms of a query with their weights; a term that is said twice counts twice."""
    if query.terms:
        return [(term, weight * query.weight) for term, weight in query.terms]
    return [(term, query.weight) for term in query_terms(query.text, params.stem, params.stopwords)]


@operator("bm25", "retrieve", Bm25Params, scale="unscaled")
def bm25(params: Bm25Params, queries: Queries, m: Memory) -> Rankings:
    """Rank units by BM25 (Robertson and Zaragoza 2009; variants as in bm25s, Lù 2024).

    Reads questions and keywords. Only units that share a term with a query are ranked, so a ranking may be shorter
    than ``k``. With ``combine: sum`` the weighted terms of all queries are one query, which makes feedback (``prf``)
    the linear interpolation of RM3.
    """
    store = m.store(params.store)
    rows: list[Ranked] = []
    for own in queries.queries:
        asked = [q for q in own if q.kind != "passage"]
        index = _index(store, params, None if any(_has_content(q, params) for q in asked) else "none")
        lexical = [weighted_terms(q, params) for q in asked]
        if params.combine == "sum":
            rows.append(best(index.scores([t for terms in lexical for t in terms]), params.k))
        else:
            rows.append(combine(params.combine, [best(index.scores(terms), params.k) for terms in lexical], params.k))
    found = Rankings.of(rows)
    return Rankings(found.offsets, found.ids + store.base, found.scores)


def _has_content(query: Query, params: Bm25Params) -> bool:
    return bool(query.terms) or params.stopwords == "none" or has_content(query.text, params.stopwords)


def _index(store: Store, params: Bm25Params, stopwords: Stopwords | None) -> LexicalIndex | OkapiIndex:
    """The index; that of all words for a question that holds nothing but stop words."""
    p = params
    return store.lexical(p.view, p.stem, stopwords or p.stopwords, p.variant, p.k1, p.b, p.engine)
