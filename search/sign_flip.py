"""One-sided sign-flip test of a mean difference: the permutation test of paired values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.records import FloatArray

EXACT_UP_TO = 16
"""Largest number of differences other than 0 for which all assignments of signs are listed."""

DRAWS = 20_000
_CHUNK = 4_000_000
_TOLERANCE = 1e-12


def sign_flip(differences: Sequence[float] | FloatArray, *, seed: int, draws: int = DRAWS) -> float:
    """The chance of a mean difference as large as this, were each difference as likely to have the other sign.

    Exact (all assignments of signs) for at most 16 differences other than 0, else by Monte Carlo with the observed
    assignment counted in, so that the test stays valid (Phipson and Smyth 2010). For differences of one size it
    is McNemar's test.

    Args:
        differences: shape (questions,), new minus old, finite.
        seed: of the Monte Carlo draws.
        draws: their number.

    Returns:
        The p-value for "new is better", 1 where nothing changed. It does not depend on the order of the questions.

    Raises:
        ValueError: a difference is not finite.
    """
    array = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError("every difference must be finite; leave out what was not measured")
    array = np.sort(array[array != 0])
    if not len(array):
        return 1.0
    # sums that differ only by rounding are equal
    least = array.sum() - _TOLERANCE * np.abs(array).sum()
    if len(array) <= EXACT_UP_TO:
        return float(np.mean(_all_sums(np.abs(array)) >= least))
    reached = _count_draws(np.abs(array), least, np.random.default_rng(seed), draws)
    return (reached + 1) / (draws + 1)


def _all_sums(sizes: FloatArray) -> FloatArray:
    """Shape (2 ** sizes,): the sum under each assignment of signs."""
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums + size, sums - size])
    return sums


def _count_draws(sizes: FloatArray, least: float, rng: np.random.Generator, draws: int) -> int:
    """How many of ``draws`` random assignments of signs reach the sum ``least``."""
    step = max(1, _CHUNK // len(sizes))
    reached = 0
    for start in range(0, draws, step):
        positive = rng.integers(0, 2, (min(step, draws - start), len(sizes)), dtype=np.int8)
        reached += int(np.count_nonzero(2 * (positive @ sizes) - sizes.sum() >= least))
    return reached
