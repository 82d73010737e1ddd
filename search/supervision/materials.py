"""Bundles as the roles get them, each with chance of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import History, IntArray
from designsearch.search.supervision.contracts import Material, Source
from designsearch.search.supervision.graph.bundles import Bundle, Bundles
from designsearch.search.supervision.graph.graph import RecordGraph
from designsearch.search.supervision.settings import SupervisionSettings


class Materials:
    """The materials of each part of a history, by their ordinals.

    Args:
        history: the records.
        graph: their connections.
        rows: by part, shape (records,): the rows that may be asked about.
        settings: how bundles are drawn.
        tokens: shape (records,): the length of each record.
    """

    def __init__(
        self,
        history: History,
        graph: RecordGraph,
        rows: Mapping[str, NDArray[np.bool_]],
        settings: SupervisionSettings,
        tokens: IntArray,
    ) -> None:
        self._history = history
        self._seed = settings.seed
        self._bundles = {
            part: Bundles(
                history,
                graph,
                seed=seed_of(settings.seed, part),
                budget_tokens=settings.bundle_tokens,
                hops=settings.hops,
                allowed=allowed,
                tokens=tokens,
            )
            for part, allowed in rows.items()
        }

    def take(self, part: str, ordinals: Sequence[int]) -> list[Material]:
        """The materials with those numbers; fewer where the part is used up before."""
        found = (self._bundles[part].bundle(ordinal) for ordinal in ordinals)
        return [self._material(part, bundle) for bundle in found if bundle is not None]

    def too_long(self) -> int:
        """Number of records that no bundle can hold."""
        return sum(bundles.too_long for bundles in self._bundles.values())

    def _material(self, part: str, bundle: Bundle) -> Material:
        place = {row: number for number, row in enumerate(bundle.rows, start=1)}
        path = tuple(f"{place[step.source_row]} to {place[step.target_row]}: {step.why}" for step in bundle.path)
        sources = tuple(source_of(self._history, row) for row in bundle.rows)
        return Material(bundle.ordinal, sources, path, seed_of(self._seed, part, bundle.ordinal))


def source_of(history: History, row: int) -> Source:
    """A record as the roles see it."""
    return Source(
        history.ids[row],
        row,
        history.texts[row],
        history.time_texts[row],
        history.authors[row],
        history.roles[row],
    )


def seed_of(*parts: object) -> int:
    """A seed below 2**32 that only its parts decide."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big")
