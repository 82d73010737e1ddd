"""The soft punishment of episodes that are too long (DAPO, Yu et al. 2025, equation 13)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from designsearch.runtime.records import FloatArray, IntArray


def overlong_penalty(lengths: IntArray | Sequence[int], longest: int, buffer: int) -> FloatArray:
    """What to add to the reward of each episode, before advantages are taken.

    Args:
        lengths: shape (episodes,), tokens that the policy generated.
        longest: tokens from which the whole punishment applies.
        buffer: tokens before ``longest`` over which it grows.

    Returns:
        Shape (episodes,): 0 up to ``longest - buffer`` tokens, then falling in a straight line to -1 at ``longest``.

    Raises:
        ValueError: not 0 < buffer <= longest.
    """
    if not 0 < buffer <= longest:
        raise ValueError(f"the buffer is {buffer} tokens, not in 1..{longest} (the longest episode)")
    over = np.asarray(lengths, np.float64) - (longest - buffer)
    return np.asarray(-np.clip(over / buffer, 0.0, 1.0), np.float64)
