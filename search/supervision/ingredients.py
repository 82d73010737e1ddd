"""What bundles are drawn from: the history's parts, its graph, and the records that may be asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.records import History
from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.supervision.graph.graph import build_graph
from designsearch.search.supervision.materials import Materials
from designsearch.search.supervision.record_parts import split_records
from designsearch.search.supervision.settings import SupervisionSettings
from designsearch.search.supervision.shares import askable
from designsearch.search.supervision.spread import month_of


@dataclass(frozen=True)
class Ingredients:
    """What bundles are drawn from.

    Attributes:
        materials: the bundles of each part.
        months: by part, the number of months that its records are from.
        notes: what a reader should know about the division.
    """

    materials: Materials
    months: Mapping[str, int]
    notes: tuple[str, ...]


def ingredients(history: History, settings: SupervisionSettings, shares: Mapping[str, float]) -> Ingredients:
    """Divide and connect the records of a history.

    Args:
        history: the records.
        settings: how bundles are drawn.
        shares: the parts; one alone takes the history whole.

    Raises:
        UserError: there are fewer records than parts, or no such role.
    """
    tokens = BundledCounter().count_all(history.texts)
    allowed = askable(history, settings.roles)
    notes: list[str] = []
    if len(shares) == 1:
        rows = dict.fromkeys(shares, allowed)
    else:
        division = split_records(history, shares, seed=settings.seed, tokens=tokens)  # type: ignore[arg-type]
        rows = {part: division.rows_of(part) & allowed for part in division.names}
        notes += division.notes
    materials = Materials(history, build_graph(history), rows, settings, tokens)
    if not allowed.all():
        notes.append(f"{int((~allowed).sum()):,} of {len(history):,} records are of roles that nothing is asked about")
    if long := materials.too_long():
        notes.append(f"{long:,} records are longer than {settings.bundle_tokens} tokens and serve no question")
    return Ingredients(
        materials, {part: _months(history, np.flatnonzero(mask)) for part, mask in rows.items()}, tuple(notes)
    )


def _months(history: History, rows: np.ndarray) -> int:
    return len({month for row in rows.tolist() if (month := month_of(history.time_texts[row]))})
