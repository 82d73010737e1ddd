"""Weights that rank evidence first: a regularised conditional logit over the candidates of each question.

For each gold candidate g of a question, P(g) = exp(w x_g) / (exp(w x_g) + sum over the question's non-gold candidates
of exp(w x)); the weights minimise the mean of -ln P(g) over gold candidates within each question, summed over
questions, plus l2 / 2 |w - v|^2 (McFadden 1974; as a ranking loss the softmax of ListNet, Cao et al. 2007). v is zero,
or weights that were learnt elsewhere, from which few questions then move as far as they must.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from designsearch.runtime.records import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of several questions, each with at least one gold and one other candidate.

    Attributes:
        features: shape (candidates, features).
        offsets: shape (questions + 1,): question ``q`` owns rows ``offsets[q]:offsets[q + 1]``.
        gold: shape (candidates,): which show evidence.
    """

    features: FloatArray
    offsets: IntArray
    gold: NDArray[np.bool_]

    @property
    def shares(self) -> FloatArray:
        """Shape (candidates,): 1 / number of gold candidates of its question for a gold one, else 0."""
        if len(self.offsets) < 2:
            return np.zeros(0)
        counts = np.add.reduceat(self.gold.astype(np.float64), self.offsets[:-1])
        return np.where(self.gold, 1.0 / np.repeat(np.maximum(counts, 1.0), np.diff(self.offsets)), 0.0)

    def select(self, questions: IntArray) -> Candidates:
        """Only those questions."""
        sizes = np.diff(self.offsets)[questions]
        offsets = np.zeros(len(questions) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        rows = np.repeat(self.offsets[questions] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Candidates(self.features[rows], offsets, self.gold[rows])

    def columns(self, columns: IntArray) -> Candidates:
        """Only those features."""
        return Candidates(self.features[:, columns], self.offsets, self.gold)


def loss(weights: FloatArray, data: Candidates, shares: FloatArray) -> tuple[float, FloatArray]:
    """The unregularised loss and its gradient, shape (features,)."""
    sizes, starts = np.diff(data.offsets), data.offsets[:-1]
    if not len(starts):
        return 0.0, np.zeros(data.features.shape[1])
    scores = data.features @ weights
    # everything is measured from the best of the others, so that neither a far better nor a far worse gold one loses
    # its digits
    best = np.repeat(np.maximum.reduceat(np.where(data.gold, -np.inf, scores), starts), sizes)
    odds = np.exp(np.where(data.gold, -np.inf, scores - best))
    others = np.log(np.repeat(np.add.reduceat(odds, starts), sizes))
    total = np.logaddexp(others, scores - best)
    chance = np.where(data.gold, scores - best - total, 0.0)
    pull = np.repeat(np.add.reduceat(np.where(data.gold, shares * np.exp(-total), 0.0), starts), sizes)
    slope = np.where(data.gold, shares * np.expm1(chance), odds * pull)
    return -float(shares @ chance), data.features.T @ slope


def fit(
    data: Candidates,
    l2: float,
    start: FloatArray | None = None,
    iterations: int = 100,
    toward: FloatArray | None = None,
) -> FloatArray:
    """The weights with the smallest regularised loss (L-BFGS), shape (features,).

    Args:
        data: the candidates.
        l2: strength of the regularisation.
        start: where to begin; zero where not given.
        iterations: the most steps.
        toward: what the weights are drawn to, shape (features,); zero where not given.
    """
    shares = data.shares
    drawn = np.zeros(data.features.shape[1]) if toward is None else toward

    def objective(weights: FloatArray) -> tuple[float, FloatArray]:
        value, slope = loss(weights, data, shares)
        away = weights - drawn
        return value + 0.5 * l2 * float(away @ away), slope + l2 * away

    first = drawn if start is None else start
    found = minimize(objective, first, jac=True, method="L-BFGS-B", options={"maxiter": iterations, "ftol": 1e-7})
    weights: FloatArray = found.x
    return weights
