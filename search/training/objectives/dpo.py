"""Direct preference optimisation of the reward model (Rafailov et al. 2023, equation 7; AiO-Mem, equation 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.records import FloatArray

BETA = 0.1
"""How strongly the reference holds, as AiO-Mem sets it."""


@dataclass(frozen=True, slots=True)
class Preference:
    """The DPO loss of some pairs.

    Attributes:
        loss: mean over pairs.
        losses: shape (pairs,).
        margin: shape (pairs,): beta times how much more the model than its reference prefers the chosen sequence.
        chosen: shape (pairs,): derivative of ``loss`` with respect to the model's log-probability of the chosen one.
        rejected: shape (pairs,): likewise of the rejected one.
    """

    loss: float
    losses: FloatArray
    margin: FloatArray
    chosen: FloatArray
    rejected: FloatArray


def dpo(
    chosen: FloatArray | Sequence[float],
    rejected: FloatArray | Sequence[float],
    reference_chosen: FloatArray | Sequence[float],
    reference_rejected: FloatArray | Sequence[float],
    beta: float = BETA,
) -> Preference:
    """-log sigmoid(beta ((chosen - reference chosen) - (rejected - reference rejected))), and its gradient.

    Args:
        chosen: shape (pairs,), natural log-probability of each preferred sequence under the model, summed over tokens.
        rejected: likewise of the other sequence.
        reference_chosen: shape (pairs,), as ``chosen`` under the frozen reference.
        reference_rejected: as ``rejected`` under it.
        beta: above 0.

    Raises:
        ValueError: no pair, arrays of different shapes, or a log-probability that is not finite.
    """
    arrays = [np.asarray(a, np.float64) for a in (chosen, rejected, reference_chosen, reference_rejected)]
    if len({array.shape for array in arrays}) > 1 or arrays[0].ndim != 1 or not arrays[0].size:
        raise ValueError(f"log-probabilities of pairs of shapes {[array.shape for array in arrays]}")
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError("the log-probabilities of the pairs are not all finite")
    margin = beta * ((arrays[0] - arrays[2]) - (arrays[1] - arrays[3]))
    # logaddexp keeps the digits of -log sigmoid(margin) at both ends, where exp alone would overflow
    losses = np.logaddexp(0.0, -margin)
    slope = -beta * np.exp(-np.logaddexp(0.0, margin)) / margin.size
    return Preference(float(losses.mean()), losses, margin, slope, -slope)
