"""How alike two sets of scores order the same designs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import kendalltau, spearmanr

from designsearch.runtime.records import FloatArray
from designsearch.search.intervals import LEVEL, RESAMPLES, Interval

FEW = 20
"""Designs below which the figure is uncertain, whatever its interval says."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The rank correlation of designs under two scores.

    Attributes:
        designs: how many were scored by both.
        kendall: Kendall's tau-b, from -1 (one order is the other reversed) to 1; ties count for neither. ``None`` where
            a score is the same for all designs.
        interval: of it, over designs drawn with replacement; ``None`` as above.
        spearman: the correlation of the ranks, those of ties averaged; ``None`` as above.
    """

    designs: int
    kendall: float | None
    interval: Interval | None
    spearman: float | None

    @property
    def uncertain(self) -> bool:
        """Whether there are too few designs to rely on it."""
        return self.designs < FEW

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self) | {"interval": list(self.interval[:2]) if self.interval else None}


def agreement(scores_a: Mapping[str, float], scores_b: Mapping[str, float], *, seed: int = 0) -> Agreement:
    """Compare two orders of designs (Kendall 1945, tau-b; percentile bootstrap of Efron and Tibshirani 1993, 13).

    Args:
        scores_a: a score of each design by its name; designs that the other lacks are left out.
        scores_b: the other.
        seed: of the bootstrap.

    Raises:
        ValueError: a score is not finite.
    """
    names = sorted(scores_a.keys() & scores_b.keys())
    a = np.array([scores_a[name] for name in names], dtype=np.float64)
    b = np.array([scores_b[name] for name in names], dtype=np.float64)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("every score must be finite; leave out designs that were not measured")
    if len(set(a.tolist())) < 2 or len(set(b.tolist())) < 2:
        return Agreement(len(names), None, None, None)
    return Agreement(
        len(names),
        float(kendalltau(a, b, variant="b").statistic),
        _interval(a, b, np.random.default_rng(seed)),
        float(spearmanr(a, b).statistic),
    )


def _interval(a: FloatArray, b: FloatArray, rng: np.random.Generator) -> Interval | None:
    """Percentiles of tau-b over resampled designs.

    A resample is how often each design was drawn, so that tau-b is a ratio of quadratic forms in the signs of the
    differences. Resamples in which a score is the same for all are left out.
    """
    draws = rng.multinomial(len(a), np.full(len(a), 1 / len(a)), RESAMPLES).astype(np.float64)
    signs_a, signs_b = np.sign(a[:, None] - a), np.sign(b[:, None] - b)
    agreed, untied_a, untied_b = (
        np.einsum("ri,ri->r", draws @ pairs, draws) for pairs in (signs_a * signs_b, signs_a**2, signs_b**2)
    )
    usable = (untied_a > 0) & (untied_b > 0)
    taus = agreed[usable] / np.sqrt(untied_a[usable] * untied_b[usable])
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(taus, [tail, 1 - tail])
    return Interval(float(low), float(high), LEVEL)
