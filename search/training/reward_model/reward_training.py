"""Training of the categorical reward model: first on the rule's scores, then on preferences over them.

AiO-Mem (Wang et al. 2026, section 3.4): supervised learning of the rule's sequence (equation 2), then DPO with a better
judge's sequence chosen and the rule's rejected (equation 3), the model of the first stage being the frozen reference.
Both are minimised by Adam over all examples at once, from where the model stands, so that a run repeats exactly.

DPO sees only the difference of two sequences: of a step on which both agree it says nothing, and it may make both
less likely. Weights that steps share then drift, and with them the scores of steps that no pair is about. The second
stage therefore also holds on to the chosen sequence by its own likelihood (Pang et al. 2024, equation 2), the more the
larger ``hold``; 0 is DPO alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from designsearch.runtime.episodes.states import ACTION_TYPES
from designsearch.runtime.records import FloatArray
from designsearch.search.training.judging.quality import Judgement
from designsearch.search.training.objectives.dpo import BETA, dpo
from designsearch.search.training.objectives.sft import sft
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward, Head, Steps, bin_of
from designsearch.search.training.reward_model.reward_batch import Batch, Weights

Loss = Callable[[CategoricalReward], tuple[float, Weights]]
"""The loss of a model, and its derivative by the weights of each head."""


@dataclass(frozen=True)
class Example:
    """An episode and the judgement that is to be learnt."""

    steps: Steps
    target: Judgement


@dataclass(frozen=True)
class Pair:
    """An episode with two judgements of it."""

    steps: Steps
    chosen: Judgement
    rejected: Judgement


@dataclass(frozen=True, slots=True)
class Optimiser:
    """How far training goes.

    Attributes:
        rounds: steps of Adam.
        rate: its learning rate.
        decay: L2 penalty on the weights, in the second stage on how far they leave the reference; biases are free.
    """

    rounds: int
    rate: float
    decay: float


SFT = Optimiser(rounds=300, rate=0.05, decay=1e-3)
DPO = Optimiser(rounds=60, rate=0.01, decay=1e-3)

HOLD = 1.0
"""Weight of the likelihood of the chosen sequence beside the DPO loss."""


def train_sft(examples: Sequence[Example], how: Optimiser = SFT) -> CategoricalReward:
    """The first stage, from nothing: features are scaled by those of the examples.

    Raises:
        ValueError: no example.
    """
    if not examples:
        raise ValueError("no episode to learn from")
    start = _scaled(CategoricalReward.untrained(), examples)
    return _minimised(start, sft_loss(examples), how)


def train_dpo(
    reference: CategoricalReward,
    pairs: Sequence[Pair],
    beta: float = BETA,
    hold: float = HOLD,
    how: Optimiser = DPO,
) -> CategoricalReward:
    """The second stage, from the reference, which stays as it is.

    Raises:
        ValueError: no pair.
    """
    if not pairs:
        raise ValueError("no pair of judgements to learn from")
    return _minimised(reference, dpo_loss(reference, pairs, beta, hold), how)


def sft_loss(examples: Sequence[Example]) -> Loss:
    """The mean over all steps of the negative log-probability of the targets' bins."""
    batch = Batch.of([(one.steps, _bins(one.target)) for one in examples])

    def loss(model: CategoricalReward) -> tuple[float, Weights]:
        found = sft([batch.logps(model)])
        return found.loss, batch.gradient(model, found.gradient[0])

    return loss


def dpo_loss(reference: CategoricalReward, pairs: Sequence[Pair], beta: float = BETA, hold: float = HOLD) -> Loss:
    """The DPO loss of some pairs against a frozen reference, and ``hold`` times the SFT loss of the chosen ones."""
    chosen = Batch.of([(one.steps, _bins(one.chosen)) for one in pairs])
    rejected = Batch.of([(one.steps, _bins(one.rejected)) for one in pairs])
    frozen = [batch.sums(batch.logps(reference)) for batch in (chosen, rejected)]

    def loss(model: CategoricalReward) -> tuple[float, Weights]:
        steps = chosen.logps(model)
        better, worse = chosen.sums(steps), rejected.sums(rejected.logps(model))
        found, held = dpo(better, worse, frozen[0], frozen[1], beta), sft([steps])
        one = chosen.gradient(model, found.chosen[chosen.owners] + hold * held.gradient[0])
        other = rejected.gradient(model, found.rejected[rejected.owners])
        return found.loss + hold * held.loss, {kind: one[kind] + other[kind] for kind in one}

    return loss


def _bins(found: Judgement) -> list[int]:
    return [bin_of(step.score) for step in found]


def _scaled(model: CategoricalReward, examples: Sequence[Example]) -> CategoricalReward:
    heads = dict(model.heads)
    for kind in ACTION_TYPES:
        own = [features for one in examples for of, features in one.steps if of == kind]
        if own:
            spread = np.std(own, axis=0)
            # a feature that never varies in the examples says nothing, and must not explode where it does
            heads[kind] = Head(np.mean(own, axis=0), np.where(spread > 1e-9, spread, 1.0), heads[kind].weights)
    return CategoricalReward(heads)


def _minimised(start: CategoricalReward, loss: Loss, how: Optimiser) -> CategoricalReward:
    """Adam (Kingma and Ba 2015, algorithm 1) with its usual constants; weights are pulled to where they began."""
    model = start
    first = {kind: np.zeros_like(head.weights) for kind, head in start.heads.items()}
    second = {kind: np.zeros_like(head.weights) for kind, head in start.heads.items()}
    for count in range(1, how.rounds + 1):
        _, slopes = loss(model)
        moved: Weights = {}
        for kind, head in model.heads.items():
            slope = slopes[kind] + how.decay * _pull(head.weights, start.heads[kind].weights)
            first[kind] = 0.9 * first[kind] + 0.1 * slope
            second[kind] = 0.999 * second[kind] + 0.001 * slope**2
            mean, square = first[kind] / (1 - 0.9**count), second[kind] / (1 - 0.999**count)
            moved[kind] = head.weights - how.rate * mean / (np.sqrt(square) + 1e-8)
        model = model.with_weights(moved)
    return model


def _pull(weights: FloatArray, start: FloatArray) -> FloatArray:
    pull = weights - start
    pull[:, -1] = 0.0
    return pull
