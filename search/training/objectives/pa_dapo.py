"""PA-DAPO: the clipped objective over groups of episodes, and its gradient.

AiO-Mem (Wang et al. 2026, equation 5): per token that the policy generated, min(rho A, clip(rho, 1 - low, 1 + high) A)
with rho = exp(new - old) and A its episode's advantage; summed over a question's episodes and divided by the number of
those tokens; then the mean over questions. The clip bounds are DAPO's (Yu et al. 2025); the paper states none. Since
every token counts alike, it does not matter how an episode's tokens are cut into steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designsearch.runtime.records import FloatArray, IntArray
from designsearch.search.training.objectives.groups import advantages

CLIP_LOW = 0.2
CLIP_HIGH = 0.28


@dataclass(frozen=True, slots=True)
class Segment:
    """Tokens in a row of one episode that are of one kind: those of an action, or of an observation.

    Attributes:
        new: shape (tokens,), natural log-probabilities under the policy that learns.
        old: shape (tokens,), those under the policy that acted.
        generated: whether the policy chose them; False for observations and forced steps.
    """

    new: FloatArray | Sequence[float]
    old: FloatArray | Sequence[float]
    generated: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """The episodes of one question and their tokens, episode after episode or in any other order.

    Attributes:
        rewards: shape (episodes,).
        owners: shape (tokens,), the episode of each token, 0-based.
        new: shape (tokens,), natural log-probabilities under the policy that learns.
        old: shape (tokens,), those under the policy that acted.
        generated: shape (tokens,), False for tokens that the policy did not choose: observations and forced steps.
    """

    rewards: FloatArray
    owners: IntArray
    new: FloatArray
    old: FloatArray
    generated: NDArray[np.bool_]

    @classmethod
    def of(cls, rewards: FloatArray | Sequence[float], episodes: Sequence[Sequence[Segment]]) -> Group:
        """From the segments of each episode, in order.

        Raises:
            ValueError: not as many episodes as rewards.
        """
        if len(rewards) != len(episodes):
            raise ValueError(f"{len(episodes)} episodes have {len(rewards)} rewards")
        owned = [(owner, segment) for owner, segments in enumerate(episodes) for segment in segments]
        sizes = [len(segment.new) for _, segment in owned]
        nothing = np.zeros(0)
        return cls(
            rewards=np.asarray(rewards, np.float64),
            owners=np.repeat(np.array([owner for owner, _ in owned], np.int64), sizes),
            new=np.concatenate([nothing, *(np.asarray(segment.new, np.float64) for _, segment in owned)]),
            old=np.concatenate([nothing, *(np.asarray(segment.old, np.float64) for _, segment in owned)]),
            generated=np.repeat(np.array([segment.generated for _, segment in owned], np.bool_), sizes),
        )


@dataclass(frozen=True, slots=True)
class Objective:
    """PA-DAPO of some questions.

    Attributes:
        value: what is maximised.
        terms: shape (tokens,) a question: the clipped surrogate of each token, 0 for one that was not generated.
        gradient: shape (tokens,) a question: derivative of ``loss`` with respect to the token's ``new``.
        clipped: number of tokens whose term is held by a clip bound, and which therefore have no gradient.
        tokens: number of tokens generated.
    """

    value: float
    terms: tuple[FloatArray, ...]
    gradient: tuple[FloatArray, ...]
    clipped: int
    tokens: int

    @property
    def loss(self) -> float:
        """What is minimised."""
        return -self.value


def pa_dapo(groups: Sequence[Group], low: float = CLIP_LOW, high: float = CLIP_HIGH) -> Objective:
    """The objective of some questions, each with the episodes sampled for it.

    Args:
        groups: one a question, each with rewards that vary.
        low: how far below 1 a ratio may fall before it is clipped.
        high: how far above 1 it may rise.

    Raises:
        ValueError: no group; a group whose rewards do not vary, which has no generated token, or whose arrays do not
            match; a log-probability of a generated token that is not finite.
    """
    if not groups:
        raise ValueError("no group of episodes has rewards that vary")
    value, clipped, tokens = 0.0, 0, 0
    terms, gradient = [], []
    for group in groups:
        _check(group)
        count = int(group.generated.sum())
        ratio = np.exp(_differences(group))
        advantage = np.where(group.generated, advantages(group.rewards)[group.owners], 0.0)
        held = ((advantage > 0) & (ratio > 1 + high)) | ((advantage < 0) & (ratio < 1 - low))
        surrogate = np.clip(ratio, 1 - low, 1 + high)
        term = np.minimum(ratio * advantage, surrogate * advantage)
        terms.append(term)
        gradient.append(np.where(held, 0.0, -ratio * advantage / (count * len(groups))))
        value += float(term.sum()) / count / len(groups)
        clipped += int(held.sum())
        tokens += count
    return Objective(value, tuple(terms), tuple(gradient), clipped, tokens)


def _differences(group: Group) -> FloatArray:
    # what stands in the place of an observation's log-probability, a NaN perhaps, is never looked at
    zeros = np.zeros(len(group.new))
    return np.subtract(group.new, group.old, out=zeros, where=group.generated, dtype=np.float64)


def _check(group: Group) -> None:
    shapes = {array.shape for array in (group.owners, group.new, group.old, group.generated)}
    if len(shapes) > 1:
        raise ValueError(f"the arrays of a group's tokens differ in shape: {sorted(shapes)}")
    if group.owners.size and not (group.owners.min() >= 0 and group.owners.max() < len(group.rewards)):
        raise ValueError(f"a group of {len(group.rewards)} episodes owns tokens of another")
    if not group.generated.any():
        raise ValueError("a group of episodes without a token that the policy generated")
    if not np.isfinite(np.where(group.generated, [group.new, group.old], 0.0)).all():
        raise ValueError("the log-probabilities of a group's generated tokens are not all finite")
