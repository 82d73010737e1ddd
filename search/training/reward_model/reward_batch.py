"""Sequences of bins for the steps of episodes, by head and at once: their log-probabilities, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.episodes.states import ActionType
from designsearch.runtime.records import FloatArray, IntArray
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward, Steps

Weights = dict[ActionType, FloatArray]
"""One array a head, of the shape of its weights."""


@dataclass(frozen=True)
class Part:
    """The steps of one type in a batch.

    Attributes:
        features: shape (steps, features).
        bins: shape (steps,).
        places: shape (steps,): where each step stands in the batch.
    """

    features: FloatArray
    bins: IntArray
    places: IntArray


@dataclass(frozen=True)
class Batch:
    """Sequences, one behind the other.

    Attributes:
        parts: their steps by type.
        owners: shape (all steps,): the sequence that each step belongs to, rising.
        size: number of sequences.
    """

    parts: dict[ActionType, Part]
    owners: IntArray
    size: int

    @classmethod
    def of(cls, sequences: Sequence[tuple[Steps, Sequence[int]]]) -> Batch:
        """A batch of episodes, each with a bin a step.

        Raises:
            ValueError: a sequence has more or fewer bins than steps.
        """
        steps = [step for own, bins in sequences for step in zip(own, bins, strict=True)]
        owners = np.repeat(np.arange(len(sequences)), [len(own) for own, _ in sequences])
        places: dict[ActionType, list[int]] = {}
        for place, ((kind, _), _) in enumerate(steps):
            places.setdefault(kind, []).append(place)
        parts = {
            kind: Part(
                np.stack([steps[place][0][1] for place in own]),
                np.array([steps[place][1] for place in own], np.int64),
                np.array(own, np.int64),
            )
            for kind, own in places.items()
        }
        return cls(parts, owners.astype(np.int64), len(sequences))

    def logps(self, model: CategoricalReward) -> FloatArray:
        """Shape (all steps,): natural log-probability of each step's bin."""
        found = np.zeros(len(self.owners))
        for kind, part in self.parts.items():
            found[part.places] = model.heads[kind].logps(part.features)[np.arange(len(part.bins)), part.bins]
        return found

    def sums(self, steps: FloatArray) -> FloatArray:
        """Shape (sequences,): the sum over the steps of each."""
        return np.bincount(self.owners, steps, self.size).astype(np.float64)

    def gradient(self, model: CategoricalReward, slopes: FloatArray) -> Weights:
        """The derivative by each head's weights of what has these derivatives by the log-probabilities.

        Args:
            model: the model.
            slopes: shape (all steps,).
        """
        made = {kind: np.zeros_like(head.weights) for kind, head in model.heads.items()}
        for kind, part in self.parts.items():
            head = model.heads[kind]
            toward = -np.exp(head.logps(part.features))
            toward[np.arange(len(part.bins)), part.bins] += 1.0
            made[kind] = (toward * slopes[part.places][:, None]).T @ head.inputs(part.features)
        return made
