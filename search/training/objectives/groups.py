"""Groups of episodes of one question: whether they teach anything, and how much better than its group each one is.

The advantage of DAPO (Yu et al. 2025, equation 9), with the population's standard deviation and nothing added to it; a
group whose rewards are equal teaches nothing and is left out (AiO-Mem, equation 5: only where it is above 0).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.records import FloatArray

LEAST_SPREAD = 1e-6
"""The largest difference of a group's rewards above which it is kept. A standard deviation would not do: that of three
rewards of 0.1 is 1e-17, and dividing by it makes noise of full size."""

ROUNDING = 4 * float(np.finfo(np.float64).eps)
"""Distance from the mean, relative to the largest reward, within which a reward is the mean."""


def varied(rewards: FloatArray | Sequence[float]) -> bool:
    """Whether the rewards of a group, shape (episodes,), differ enough to learn from.

    Raises:
        ValueError: a reward is not finite.
    """
    array = _finite(rewards)
    return bool(array.size) and float(np.ptp(array)) > LEAST_SPREAD


def advantages(rewards: FloatArray | Sequence[float]) -> FloatArray:
    """(reward - mean) / standard deviation of each episode of a group.

    Args:
        rewards: shape (episodes,).

    Returns:
        Shape (episodes,), mean 0 and population standard deviation 1; exactly 0 for a reward that is the mean.

    Raises:
        ValueError: the rewards do not vary, or one is not finite.
    """
    array = _finite(rewards)
    if not varied(array):
        raise ValueError(f"rewards within {LEAST_SPREAD} of each other have no advantages: leave the group out")
    centred = array - array.mean()
    # at the mean but for rounding: the sign of that noise would decide which clip bound holds its tokens
    centred[np.abs(centred) <= ROUNDING * np.abs(array).max()] = 0.0
    return np.asarray(centred / array.std(), np.float64)


def _finite(rewards: FloatArray | Sequence[float]) -> FloatArray:
    array = np.asarray(rewards, np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"the rewards of a group are not all finite: {array.tolist()}")
    return array
