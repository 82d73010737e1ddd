"""Features that compare who is meant: the author named in the question, names that question and unit share."""

from __future__ import annotations

import re

import numpy as np

from designsearch.dsl.operators import Params, operator
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.refine.features.base import FeatureParams, per_question
from designsearch.runtime.operators.refine.features.lexical import shared_words
from designsearch.runtime.records import FloatArray, IntArray, Queries, Rankings

_NAME = re.compile(r"(?<=\s)[A-ZÀ-ÖØ-Þ][\w’'-]*")


@operator("author", "feature")
def author(params: Params, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """1 where the question names the unit's author, in full or by a part of the name; 0 where all have one author."""
    names = m.history.authors.names
    if len([name for name in names if name]) < 2:
        return np.zeros(len(ranking.ids))
    patterns = [_parts(name) for name in names]
    codes = m.history.authors.codes[m.first_records]

    def values(q: int, ids: IntArray) -> FloatArray:
        said = queries.questions[q]
        named = np.array([bool(p and p.search(said)) for p in patterns], np.float64)
        return named[codes[ids + m.store(None).base]]

    return per_question(ranking, m, values)


def _parts(name: str) -> re.Pattern[str] | None:
    words = [re.escape(word) for word in re.findall(r"[^\W_]{2,}", name.split("<")[0])]
    return re.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)", re.IGNORECASE) if words else None


@operator("names", "feature", FeatureParams)
def names(params: FeatureParams, ranking: Rankings, queries: Queries, m: Memory) -> FloatArray:
    """Sum of the inverse document frequencies of the question's capitalised words that the view holds."""
    return shared_words(params, ranking, queries, m, lambda question: _NAME.findall(question))
