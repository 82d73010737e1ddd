"""Say a thing once."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.memory import Memory
from designsearch.runtime.records import IntArray, Queries, Rankings

BLOCK = 512
"""Units that are compared at a time, so that a long ranking needs no square of its length."""


class DedupeParams(Params):
    """Parameters of ``dedupe``."""

    similarity: float = param(
        1.0,
        ge=0.5,
        le=1.0,
        about="cosine from which two units count as the same; 1: only equal texts",
        tune=Tune(0.85, 1.0),
    )
    provenance: bool = param(True, about="whether units that show the same source spans count as the same", tune=True)


@operator("dedupe", "refine", DedupeParams)
def dedupe(params: DedupeParams, ranking: Rankings, queries: Queries, m: Memory) -> Rankings:
    """Of units that say the same keep the best ranked.

    The same are: equal texts (white space and case apart), equal provenance (also across stores), and, below a
    ``similarity`` of 1, texts whose embeddings are at least that near to a unit kept before.
    """
    labels = [_text_labels(m)] + ([_span_labels(m)] if params.provenance else [])
    keep = np.ones(len(ranking.ids), bool)
    for label in labels:
        keys = ranking.owners * (m.size + 1) + label[ranking.ids]
        _, first = np.unique(keys, return_index=True)
        seen = np.zeros(len(keys), bool)
        seen[first] = True
        keep &= seen
    kept = ranking.keep(keep)
    return kept if params.similarity >= 1.0 else _drop_near(kept, params.similarity, m)


def _drop_near(ranking: Rankings, similarity: float, m: Memory) -> Rankings:
    keep = np.ones(len(ranking.ids), bool)
    vectors = np.concatenate([store.vectors("raw").vectors for store in m.stores.values()])
    for q in range(len(ranking)):
        start, end = int(ranking.offsets[q]), int(ranking.offsets[q + 1])
        keep[start:end] = _far_apart(vectors[ranking.ids[start:end]], similarity)
    return ranking.keep(keep)


def _far_apart(own: NDArray[np.float32], similarity: float) -> NDArray[np.bool_]:
    """Shape (units,): which are kept where each must be less than that near to all kept before; block by block."""
    alive = np.ones(len(own), bool)
    for start in range(0, len(own), BLOCK):
        block = own[start : start + BLOCK]
        open_ = alive[start : start + BLOCK]
        open_ &= ~(block @ own[:start][alive[:start]].T >= similarity).any(axis=1)
        near = block @ block.T >= similarity
        for i in range(len(block)):
            if open_[i]:
                open_[i + 1 :] &= ~near[i, i + 1 :]
    return alive


def _text_labels(m: Memory) -> IntArray:
    """Shape (units,): equal numbers for equal texts."""

    def make() -> IntArray:
        table: dict[str, int] = {}
        texts = (text for store in m.stores.values() for text in store.units.texts)
        return np.fromiter(
            (table.setdefault(" ".join(t.split()).casefold(), len(table)) for t in texts), np.int64, m.size
        )

    return m.services.cache.get(f"text-labels-{m.key}", make)


def _span_labels(m: Memory) -> IntArray:
    """Shape (units,): equal numbers for equal provenance."""

    def make() -> IntArray:
        table: dict[bytes, int] = {}
        labels: list[int] = []
        for store in m.stores.values():
            units = store.units
            spans = np.stack([units.records, units.starts, units.ends], axis=1)
            parts = np.split(spans, units.offsets[1:-1]) if len(units) else []
            keys = (hashlib.blake2b(p.tobytes(), digest_size=16).digest() for p in parts)
            labels.extend(table.setdefault(key, len(table)) for key in keys)
        return np.array(labels, np.int64)

    return m.services.cache.get(f"span-labels-{m.key}", make)
