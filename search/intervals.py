"""Bootstrap intervals of a mean: over questions for "this user", over users for "users like these".

All functions are deterministic for a seed and do not depend on the order of the values. A percentile interval of very
few or all equal values is too narrow; the counts stand beside it in every report for that reason.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from designsearch.runtime.records import FloatArray

RESAMPLES = 2_000
LEVEL = 0.95
_CHUNK = 4_000_000


class Interval(NamedTuple):
    """An interval that a share ``level`` of bootstrap means falls into."""

    low: float
    high: float
    level: float = LEVEL


def over_questions(
    values: Sequence[float] | FloatArray, *, seed: int, level: float = LEVEL, resamples: int = RESAMPLES
) -> Interval | None:
    """Percentile bootstrap of the mean, questions drawn with replacement (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: shape (questions,), finite.
        seed: of the resampling.
        level: the share of means inside.
        resamples: number of resamples.

    Returns:
        ``None`` for fewer than two questions.

    Raises:
        ValueError: a value is not finite; what was not measured has to be left out, not counted.
    """
    array = np.sort(_finite(values))
    if len(array) < 2:
        return None
    return _percentiles(_means(array, np.random.default_rng(seed), resamples), level)


def over_users(
    values: Sequence[float] | FloatArray,
    users: Sequence[Hashable],
    *,
    seed: int,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Two-stage bootstrap of the mean over all questions: users with replacement, then each one's questions.

    A user with many questions weighs as much in a resample as in the mean itself (Davison and Hinkley 1997, 3.8).

    Args:
        values: shape (questions,), finite.
        users: shape (questions,), whose question each is.
        seed: of the resampling.
        level: the share of means inside.
        resamples: number of resamples.

    Returns:
        ``None`` for fewer than two users.

    Raises:
        ValueError: a value is not finite, or there are not as many users as values.
    """
    array = _finite(values)
    if len(array) != len(users):
        raise ValueError(f"{len(array)} values but {len(users)} users")
    groups: dict[Hashable, list[float]] = {}
    for value, user in zip(array, users, strict=True):
        groups.setdefault(user, []).append(float(value))
    if len(groups) < 2:
        return None
    # sorted by content, so that neither the order of users nor their names matter
    ordered = sorted(sorted(group) for group in groups.values())
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(ordered), (resamples, len(ordered)))
    totals, counts = np.zeros(resamples), np.zeros(resamples)
    for i, group in enumerate(ordered):
        rows = np.nonzero(drawn == i)[0]
        means = _means(np.array(group), rng, len(rows))
        totals += np.bincount(rows, weights=means * len(group), minlength=resamples)
        counts += np.bincount(rows, minlength=resamples) * len(group)
    return _percentiles(totals / counts, level)


def _finite(values: Sequence[float] | FloatArray) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError("every value must be finite; leave out what was not measured")
    return array


def _means(values: FloatArray, rng: np.random.Generator, resamples: int) -> FloatArray:
    """Shape (resamples,): means of resamples with replacement, in chunks that bound the memory."""
    step = max(1, _CHUNK // len(values))
    parts = [
        values[rng.integers(0, len(values), (min(step, resamples - start), len(values)))].mean(axis=1)
        for start in range(0, resamples, step)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _percentiles(means: FloatArray, level: float) -> Interval:
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high), level)
