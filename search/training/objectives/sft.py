"""Supervised learning of the reward model's target sequences (AiO-Mem, equation 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.records import FloatArray


@dataclass(frozen=True, slots=True)
class Supervised:
    """The loss of a batch.

    Attributes:
        loss: mean over the batch's target tokens of their negative log-probability, in nats.
        gradient: shape (target tokens,) an example: derivative of ``loss`` with respect to each log-probability.
    """

    loss: float
    gradient: tuple[FloatArray, ...]


def sft(logps: Sequence[FloatArray | Sequence[float]]) -> Supervised:
    """The token mean over a batch: long sequences weigh more than short ones.

    Args:
        logps: shape (target tokens,) an example, natural log-probabilities of the target alone, without its prompt.

    Raises:
        ValueError: no target token in the whole batch, or a log-probability that is not finite.
    """
    examples = [np.asarray(example, np.float64) for example in logps]
    tokens = sum(example.size for example in examples)
    if not tokens:
        raise ValueError("a batch without a target token has no loss")
    total = sum(float(example.sum()) for example in examples)
    if not np.isfinite(total):
        raise ValueError("the log-probabilities of the batch's target tokens are not all finite")
    return Supervised(-total / tokens, tuple(np.full(example.shape, -1.0 / tokens) for example in examples))
