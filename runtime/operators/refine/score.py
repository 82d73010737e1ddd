"""Order candidates by a weighted sum of named features."""

from __future__ import annotations

import hashlib

import numpy as np
from pydantic import field_validator

from designsearch.dsl.design import RAW
from designsearch.dsl.operators import Params, operator, param
from designsearch.runtime.cache import content_key
from designsearch.runtime.feature_names import feature_of
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators.fuse.weighted_sum import Normalize, normalized
from designsearch.runtime.pipeline import queries_key
from designsearch.runtime.records import FloatArray, Queries, Rankings


class ScoreParams(Params):
    """Parameters of ``score``."""

    features: dict[str, float] = param(
        about="weight of each named feature, as in {bm25: 0.4, cosine.window: 0.4}; .view says which text it reads"
    )
    normalize: Normalize = param("zscore", about="how a feature is made comparable within each question's candidates")

    @field_validator("features")
    @classmethod
    def _known(cls, features: dict[str, float]) -> dict[str, float]:
        if not features:
            raise ValueError("name at least one feature")
        for name in features:
            feature_of(name)
        return features


def feature_values(name: str, ranking: Rankings, queries: Queries, m: Memory, normalize: Normalize) -> FloatArray:
    """A feature of every candidate, made comparable within each question, shape (entries,)."""
    found, params = feature_of(name)
    raw: FloatArray = found.function(params, ranking, queries, m)
    return normalized(Rankings(ranking.offsets, ranking.ids, raw), normalize)


def batch_key(ranking: Rankings, queries: Queries) -> str:
    """Content key of candidates and what was asked."""
    h = hashlib.blake2b(digest_size=16)
    for array in (ranking.offsets, ranking.ids, ranking.scores):
        h.update(np.ascontiguousarray(array).tobytes())
    return content_key(queries_key(queries), h.hexdigest())


def cached_feature(
    name: str, ranking: Rankings, queries: Queries, m: Memory, normalize: Normalize, batch: str
) -> FloatArray:
    """``feature_values``, computed once for the candidates that ``batch`` stands for and the view that it reads."""
    _, params = feature_of(name)
    reads = [store.key for store in m.stores.values()]
    reads += [m.store(None).view_key(getattr(params, "view", RAW)), m.services.embedder.fingerprint]
    key = content_key("feature", name, normalize, batch, reads)
    return m.services.cache.get(key, lambda: feature_values(name, ranking, queries, m, normalize))


@operator("score", "refine", ScoreParams, scale="unscaled")
def score(params: ScoreParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Order the candidates by a weighted sum of named features, each normalised within the question's candidates.

    It ranks what is there and brings in nothing new. The weights are fitted on evidence by the ``fit`` proposer, or
    written by hand.
    """
    total = np.zeros(len(ranking.ids))
    batch = batch_key(ranking, queries)
    for name, weight in sorted(params.features.items()):
        total += weight * cached_feature(name, ranking, queries, m, params.normalize, batch)
    return Rankings(ranking.offsets, ranking.ids, total).sorted()
