"""One update of a policy by the episodes of some questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from designsearch.search.training.lora.adapters import learning
from designsearch.search.training.lora.config import UpdateShape
from designsearch.search.training.lora.logps import token_logps
from designsearch.search.training.lora.losses import surrogate
from designsearch.search.training.lora.utterances import Played, Utterance, parcels
from designsearch.search.training.objectives.groups import advantages, varied


@dataclass(frozen=True, slots=True)
class Update:
    """What an update saw, at its last pass.

    Attributes:
        loss: PA-DAPO, what is minimised; 0 where no group taught anything.
        groups: questions whose rewards vary.
        tokens: tokens that count.
        clipped: share of them that a clip bound holds.
        gradient: norm of the gradient before it was cut down.
        drift: mean of old minus new log-probability before the step, in nats; far from 0 it tells that sampling and
            training do not compute the same.
    """

    loss: float = 0.0
    groups: int = 0
    tokens: int = 0
    clipped: float = 0.0
    gradient: float = 0.0
    drift: float = 0.0


@dataclass(frozen=True, slots=True)
class Weighted:
    """A reply with what each of its tokens counts.

    Attributes:
        utterance: the tokens.
        advantage: of its episode.
        share: of each token in the loss: 1 / (its question's tokens x questions).
    """

    utterance: Utterance
    advantage: float
    share: float


def weighted(groups: Sequence[Sequence[Played]]) -> list[Weighted]:
    """The replies that count, of the groups whose rewards vary.

    Every token of a group counts alike, so the loss is a sum over replies, and a gradient may be gathered reply by
    reply (AiO-Mem, equation 5).
    """
    kept = [group for group in groups if varied([one.reward for one in group]) and any(one.tokens for one in group)]
    found = []
    for group in kept:
        share = 1.0 / (sum(one.tokens for one in group) * len(kept))
        for one, advantage in zip(group, advantages([one.reward for one in group]).tolist(), strict=True):
            said = [turn.utterance for turn in one.turns if turn.generated and turn.utterance.said]
            found += [Weighted(utterance, advantage, share) for utterance in said]
    return found


def gather(model: Any, replies: Sequence[Weighted], how: UpdateShape, temperature: float = 1.0) -> Update:
    """Add the gradient of PA-DAPO to the parameters that learn.

    Args:
        model: with adapters.
        replies: from :func:`weighted`.
        how: clip bounds, and tokens that are computed together.
        temperature: that of sampling.
    """
    loss, held, drift = 0.0, 0, 0.0
    for parcel in parcels([len(one.utterance) for one in replies], how.tokens_at_once):
        own = [replies[i] for i in parcel]
        new = torch.cat(token_logps(model, [one.utterance for one in own], temperature))
        old = new.new_tensor([logp for one in own for logp in one.utterance.logps])
        sizes = [len(one.utterance.said) for one in own]
        advantage = new.new_tensor(np.repeat([one.advantage for one in own], sizes))
        share = new.new_tensor(np.repeat([one.share for one in own], sizes))
        part = -(surrogate(new, old, advantage, how.clip_low, how.clip_high) * share).sum()
        part.backward()
        ratio = (new.detach() - old).exp()
        low, high = (advantage < 0) & (ratio < 1 - how.clip_low), (advantage > 0) & (ratio > 1 + how.clip_high)
        loss += float(part.detach())
        held += int((low | high).sum())
        drift += float((old - new.detach()).sum())
    tokens = sum(len(one.utterance.said) for one in replies)
    return Update(loss=loss, tokens=tokens, clipped=held / max(1, tokens), drift=drift / max(1, tokens))


def update(
    model: Any, optimiser: Any, groups: Sequence[Sequence[Played]], how: UpdateShape, temperature: float = 1.0
) -> Update:
    """Move the policy: one step of the optimiser a pass, each on all episodes.

    Args:
        model: with adapters.
        optimiser: of torch, over the parameters that learn.
        groups: the episodes of each question; those whose rewards do not vary are left out.
        how: how it moves.
        temperature: that of sampling.
    """
    replies = weighted(groups)
    if not replies:
        return Update()
    found = Update()
    model.train()
    for _ in range(how.passes):
        optimiser.zero_grad()
        found = gather(model, replies, how, temperature)
        norm = torch.nn.utils.clip_grad_norm_(learning(model), how.gradient_limit)
        optimiser.step()
    kept = sum(varied([one.reward for one in group]) for group in groups)
    return Update(found.loss, kept, found.tokens, found.clipped, float(norm), found.drift)
