"""The two stages of a reward model that is a language model: the rule's sequences, then preferences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from designsearch.search.training.lora.adapters import learning, without_dropout
from designsearch.search.training.lora.config import DpoShape, SftShape
from designsearch.search.training.lora.logps import frozen_logps, token_logps
from designsearch.search.training.lora.losses import dpo_loss
from designsearch.search.training.lora.utterances import Utterance, parcels

GRADIENT_LIMIT = 1.0


@dataclass(frozen=True, slots=True)
class Preferred:
    """Two replies to one prompt.

    Attributes:
        chosen: the better one.
        rejected: the other.
    """

    chosen: Utterance
    rejected: Utterance


def train_sft(
    model: Any, examples: Sequence[Utterance], how: SftShape, tokens_at_once: int, seed: int = 0
) -> list[float]:
    """Learn replies by their tokens: the mean over all target tokens of a batch (AiO-Mem, equation 2).

    Args:
        model: with adapters.
        examples: prompt and reply.
        how: epochs, batch and rate.
        tokens_at_once: tokens computed together; the gradient is the same for any number.
        seed: of the order of examples.

    Returns:
        The loss of each step, before it.
    """
    optimiser = torch.optim.AdamW(learning(model), how.rate, weight_decay=0.0)
    losses = []
    model.train()
    for batch in _batches(len(examples), how.epochs, how.batch, seed):
        own = [examples[i] for i in batch]
        optimiser.zero_grad()
        losses.append(gather_sft(model, own, tokens_at_once))
        torch.nn.utils.clip_grad_norm_(learning(model), GRADIENT_LIMIT)
        optimiser.step()
    return losses


def gather_sft(model: Any, batch: Sequence[Utterance], tokens_at_once: int) -> float:
    """Add the gradient of a batch's SFT loss to the parameters that learn; the loss."""
    targets, loss = sum(len(one.said) for one in batch), 0.0
    for parcel in parcels([len(one) for one in batch], tokens_at_once):
        part = -torch.cat(token_logps(model, [batch[i] for i in parcel])).sum() / targets
        part.backward()
        loss += float(part.detach())
    return loss


def train_dpo(model: Any, pairs: Sequence[Preferred], how: DpoShape, tokens_at_once: int, seed: int = 0) -> list[float]:
    """Learn preferences (AiO-Mem, equation 3); the model as it comes is the frozen reference.

    Its log-probabilities of all pairs are taken before the first step, so no second copy of it is held.

    Args:
        model: with adapters, after :func:`train_sft`.
        pairs: chosen and rejected replies.
        how: epochs, batch, rate and beta.
        tokens_at_once: tokens computed together; the gradient is the same for any number.
        seed: of the order of pairs.

    Returns:
        The loss of each step, before it.
    """
    if not pairs:
        return []
    reference = [
        torch.stack([logps.sum() for logps in frozen_logps(model, side, tokens_at_once)])
        for side in ([pair.chosen for pair in pairs], [pair.rejected for pair in pairs])
    ]
    optimiser = torch.optim.AdamW(learning(model), how.rate, weight_decay=0.0)
    losses = []
    model.train()
    with without_dropout(model):
        for batch in _batches(len(pairs), how.epochs, how.batch, seed):
            optimiser.zero_grad()
            held = [side[batch] for side in reference]
            losses.append(gather_dpo(model, [pairs[i] for i in batch], held[0], held[1], how.beta, tokens_at_once))
            torch.nn.utils.clip_grad_norm_(learning(model), GRADIENT_LIMIT)
            optimiser.step()
    return losses


def gather_dpo(
    model: Any,
    batch: Sequence[Preferred],
    reference_chosen: torch.Tensor,
    reference_rejected: torch.Tensor,
    beta: float,
    tokens_at_once: int,
) -> float:
    """Add the gradient of a batch's DPO loss to the parameters that learn; the loss.

    Args:
        model: with adapters.
        batch: pairs.
        reference_chosen: shape (pairs,), the reference's log-probability of each chosen reply.
        reference_rejected: likewise of each rejected one.
        beta: how strongly the reference holds.
        tokens_at_once: tokens computed together; both replies of a pair always are.
    """
    loss = 0.0
    lengths = [2 * max(len(pair.chosen), len(pair.rejected)) for pair in batch]
    for parcel in parcels(lengths, tokens_at_once):
        own = [batch[i] for i in parcel]
        made = token_logps(model, [pair.chosen for pair in own] + [pair.rejected for pair in own])
        sums = torch.stack([logps.sum() for logps in made])
        chosen, rejected = sums[: len(own)], sums[len(own) :]
        share = len(own) / len(batch)
        part = share * dpo_loss(chosen, rejected, reference_chosen[parcel], reference_rejected[parcel], beta)
        part.backward()
        loss += float(part.detach())
    return loss


def _batches(examples: int, epochs: int, size: int, seed: int) -> Iterator[list[int]]:
    """Positions of each step's examples, each epoch in an order of its own."""
    chance = np.random.default_rng(seed)
    for _ in range(epochs):
        order = chance.permutation(examples).tolist()
        yield from (order[start : start + size] for start in range(0, examples, size))
