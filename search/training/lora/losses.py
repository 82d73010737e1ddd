"""The three losses in torch, so that gradients reach a model: PA-DAPO, SFT and DPO.

Each is the formula of the module of the same name one folder up, which is computed in numpy with its gradient; the
tests hold the two together to 1e-6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from designsearch.search.training.objectives.dpo import BETA
from designsearch.search.training.objectives.groups import advantages
from designsearch.search.training.objectives.pa_dapo import CLIP_HIGH, CLIP_LOW


@dataclass(frozen=True)
class TokenGroup:
    """The episodes of one question and their tokens.

    Attributes:
        rewards: one an episode; they vary.
        owners: shape (tokens,), integers: the episode of each token, 0-based.
        new: shape (tokens,), natural log-probabilities under the policy that learns.
        old: shape (tokens,), those under the policy that acted.
        generated: shape (tokens,), booleans: False for observations and forced steps.
    """

    rewards: Sequence[float]
    owners: Tensor
    new: Tensor
    old: Tensor
    generated: Tensor


def surrogate(new: Tensor, old: Tensor, advantage: Tensor, low: float = CLIP_LOW, high: float = CLIP_HIGH) -> Tensor:
    """The clipped surrogate of each token (AiO-Mem, equation 5).

    Args:
        new: log-probabilities under the policy that learns; they get the gradient.
        old: same shape, those under the policy that acted.
        advantage: same shape, that of the token's episode.
        low: how far below 1 a ratio may fall before it is clipped.
        high: how far above 1 it may rise.
    """
    ratio = torch.exp(new - old)
    return torch.minimum(ratio * advantage, ratio.clamp(1 - low, 1 + high) * advantage)


def pa_dapo_loss(groups: Sequence[TokenGroup], low: float = CLIP_LOW, high: float = CLIP_HIGH) -> Tensor:
    """What is minimised over some questions: minus the mean over questions of each one's mean over its own tokens.

    Raises:
        ValueError: no group; rewards that do not vary; a group without a generated token.
    """
    if not groups:
        raise ValueError("no group of episodes has rewards that vary")
    values = []
    for group in groups:
        if not bool(group.generated.any()):
            raise ValueError("a group of episodes without a token that the policy generated")
        # taken out before anything is computed: a NaN beside a zero weight would still make the gradient NaN
        new, old = group.new[group.generated], group.old[group.generated]
        advantage = torch.as_tensor(advantages(group.rewards), dtype=new.dtype, device=new.device)
        values.append(surrogate(new, old, advantage[group.owners[group.generated]], low, high).mean())
    return -torch.stack(values).mean()


def sft_loss(logps: Sequence[Tensor]) -> Tensor:
    """The mean over all target tokens of a batch of their negative log-probability (AiO-Mem, equation 2).

    Args:
        logps: shape (target tokens,) an example.

    Raises:
        ValueError: no target token.
    """
    if not any(len(example) for example in logps):
        raise ValueError("a batch without a target token has no loss")
    return -torch.cat(list(logps)).mean()


def dpo_loss(
    chosen: Tensor, rejected: Tensor, reference_chosen: Tensor, reference_rejected: Tensor, beta: float = BETA
) -> Tensor:
    """The DPO loss, mean over pairs (AiO-Mem, equation 3).

    Args:
        chosen: shape (pairs,), log-probability of each preferred sequence, summed over its tokens.
        rejected: likewise of the other sequence.
        reference_chosen: as ``chosen`` under the frozen reference.
        reference_rejected: as ``rejected`` under it.
        beta: above 0.
    """
    margin = beta * ((chosen - reference_chosen) - (rejected - reference_rejected))
    return -logsigmoid(margin).mean()
