"""Steps up the objective of PA-DAPO on sampled groups of episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from designsearch.runtime.policies.heads import DECIDE, GO_ON
from designsearch.runtime.policies.queries import SOURCES
from designsearch.runtime.policies.weights import STOP, Weights
from designsearch.runtime.records import FloatArray
from designsearch.search.training.learned.gradients import Heads, gradient, token_logps
from designsearch.search.training.learned.sampling import Sampled
from designsearch.search.training.objectives.groups import varied
from designsearch.search.training.objectives.pa_dapo import Group, pa_dapo


def heads_of(weights: Weights) -> Heads:
    """The weights that learn."""
    return Heads(weights.decide_array.copy(), weights.go_on_array.copy(), weights.pick_array.copy())


def with_heads(weights: Weights, heads: Heads) -> Weights:
    """Weights whose heads are others."""
    options = (*SOURCES, STOP)
    return replace(
        weights,
        decide={o: dict(zip(DECIDE, row.tolist(), strict=True)) for o, row in zip(options, heads.decide, strict=True)},
        go_on=dict(zip(GO_ON, heads.go_on.tolist(), strict=True)),
        pick=dict(zip(weights.columns, heads.pick.tolist(), strict=True)),
    )


class Climb:
    """Heads that climb, with Adam (Kingma and Ba 2015).

    Args:
        heads: to begin with.
        rate: step size.
        low, high: clip bounds.

    Attributes:
        heads: where they are.
    """

    def __init__(self, heads: Heads, rate: float, low: float, high: float) -> None:
        self.heads = heads
        self._rate, self._low, self._high = rate, low, high
        self._count = 0
        self._mean = np.zeros(heads.flat().size)
        self._square = np.zeros(heads.flat().size)

    def on(self, groups: Sequence[Sampled], epochs: int) -> None:
        """Climb on some groups; those whose rewards do not vary teach nothing.

        Args:
            groups: sampled under the heads as they are.
            epochs: steps; from the second on ratios differ from 1.
        """
        kept = [one for one in groups if varied(one.values) and any(len(old) for old in one.old)]
        for _ in range(epochs if kept else 0):
            self._step(self._slope(kept))

    def _slope(self, groups: Sequence[Sampled]) -> FloatArray:
        objective = pa_dapo([_group(one, self.heads) for one in groups], self._low, self._high)
        total = np.zeros(self.heads.flat().size)
        for one, slopes in zip(groups, objective.gradient, strict=True):
            for tape, own in zip(one.tapes, _split(slopes, one), strict=True):
                total += gradient(self.heads, tape, own).flat()
        return total

    def _step(self, slope: FloatArray) -> None:
        self._count += 1
        self._mean = 0.9 * self._mean + 0.1 * slope
        self._square = 0.999 * self._square + 0.001 * slope**2
        mean, square = self._mean / (1 - 0.9**self._count), self._square / (1 - 0.999**self._count)
        self.heads = self.heads.like(self.heads.flat() - self._rate * mean / (np.sqrt(square) + 1e-8))


def _group(one: Sampled, heads: Heads) -> Group:
    sizes = [len(old) for old in one.old]
    return Group(
        rewards=one.values,
        owners=np.repeat(np.arange(len(sizes)), sizes),
        new=np.concatenate([token_logps(heads, tape) for tape in one.tapes]),
        old=np.concatenate(one.old),
        generated=np.ones(sum(sizes), bool),
    )


def _split(slopes: FloatArray, one: Sampled) -> Iterator[FloatArray]:
    return iter(np.split(slopes, np.cumsum([len(old) for old in one.old])[:-1]))
