"""A reward model that needs no language model: for each step a distribution over bins of scores.

One linear softmax a type of action over the features of a step (:mod:`~.step_features`), so that it can be trained in
seconds and read in a text editor. Gold evidence teaches it and is not needed to use it: it scores episodes of questions
that nobody has labelled. A score is the mean of the bins' middles under the distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designsearch.runtime.episodes.states import ACTION_TYPES, ActionType
from designsearch.runtime.records import FloatArray
from designsearch.search.training.reward_model.step_features import feature_names

BINS: tuple[tuple[int, int], ...] = (
    (1, 15),
    (16, 30),
    (31, 43),
    (44, 55),
    (56, 63),
    (64, 70),
    (71, 78),
    (79, 85),
    (86, 93),
    (94, 100),
)
"""The lowest and the highest score of each bin: the levels of quality, each cut in two."""

MIDDLES: FloatArray = np.array([(low + high) / 2 for low, high in BINS])

Steps = Sequence[tuple[ActionType, FloatArray]]
"""Type and features of each step of an episode."""


def bin_of(score: float) -> int:
    """The bin of a score, rounded half up.

    Raises:
        ValueError: it is not in 1..100.
    """
    rounded = int(score + 0.5)
    for number, (low, high) in enumerate(BINS):
        if low <= rounded <= high:
            return number
    raise ValueError(f"the score of a step is {score}, not in {BINS[0][0]}..{BINS[-1][1]}")


@dataclass(frozen=True)
class Head:
    """The distribution over bins for one type of action.

    Attributes:
        mean, scale: shape (features,), by which features are centred and divided.
        weights: shape (bins, features + 1); the last column is the bias.
    """

    mean: FloatArray
    scale: FloatArray
    weights: FloatArray

    def inputs(self, features: FloatArray) -> FloatArray:
        """Shape (steps, features + 1): features of shape (steps, features), scaled, with a one for the bias."""
        scaled = (features - self.mean) / self.scale
        return np.concatenate([scaled, np.ones((len(scaled), 1))], axis=1)

    def logps(self, features: FloatArray) -> FloatArray:
        """Shape (steps, bins): natural log-probabilities."""
        logits = self.inputs(features) @ self.weights.T
        top = logits.max(axis=1, keepdims=True)
        return np.asarray(logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True)), np.float64)


@dataclass(frozen=True)
class CategoricalReward:
    """The model.

    Attributes:
        heads: one a type of action.
    """

    heads: Mapping[ActionType, Head]

    @classmethod
    def untrained(cls, seed: int | None = None, spread: float = 0.1) -> CategoricalReward:
        """A model that has learnt nothing: every bin equally likely, or weights drawn at random where a seed is given.

        Args:
            seed: of the draw.
            spread: standard deviation of the weights drawn.
        """
        chance = None if seed is None else np.random.default_rng(seed)
        heads: dict[ActionType, Head] = {}
        for kind in ACTION_TYPES:
            size = len(feature_names(kind))
            shape = (len(BINS), size + 1)
            weights = np.zeros(shape) if chance is None else chance.normal(0.0, spread, shape)
            heads[kind] = Head(np.zeros(size), np.ones(size), weights)
        return cls(heads)

    def with_weights(self, weights: Mapping[ActionType, FloatArray]) -> CategoricalReward:
        """The same model with other weights."""
        return CategoricalReward({kind: replace(head, weights=weights[kind]) for kind, head in self.heads.items()})

    def scores(self, steps: Steps) -> tuple[tuple[ActionType, float], ...]:
        """Type and expected score of each step, scores within 1..100."""
        found = []
        for kind, features in steps:
            share = np.exp(self.heads[kind].logps(features[None, :])[0])
            found.append((kind, float(share @ MIDDLES)))
        return tuple(found)
