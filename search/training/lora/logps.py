"""Log-probabilities of given tokens under a model, several sequences at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from designsearch.search.training.lora.utterances import Utterance, parcels


def token_logps(model: Any, utterances: Sequence[Utterance], temperature: float = 1.0) -> list[Tensor]:
    """The log-probability of each token that was said, given all tokens before it.

    Args:
        model: a causal language model of transformers, with or without adapters.
        utterances: computed together, filled up on the left, so that what was said stands at the end of each row and
            the head is computed for that part alone.
        temperature: that of sampling: the logits are divided by it, as they were then.

    Returns:
        Shape (said,) an utterance, in order, at least float32.
    """
    ids, mask = padded([one.prompt + one.said for one in utterances], model.device)
    last = max(len(one.said) for one in utterances)
    logits = model(
        input_ids=ids,
        attention_mask=mask,
        position_ids=positions(mask),
        use_cache=False,
        logits_to_keep=last + 1,
    ).logits
    found = chosen_logps(logits[:, :-1], ids[:, ids.shape[1] - last :], temperature)
    return [row[last - len(one.said) :] for row, one in zip(found, utterances, strict=True)]


def frozen_logps(model: Any, utterances: Sequence[Utterance], tokens_at_once: int) -> list[Tensor]:
    """The same without a gradient and without dropout, in parcels, for a reference."""
    found: dict[int, Tensor] = {}
    was = model.training
    model.eval()
    with torch.no_grad():
        for parcel in parcels([len(one) for one in utterances], tokens_at_once):
            made = token_logps(model, [utterances[i] for i in parcel])
            found.update(zip(parcel, made, strict=True))
    model.train(was)
    return [found[i] for i in range(len(utterances))]


def chosen_logps(logits: Tensor, ids: Tensor, temperature: float) -> Tensor:
    """Log-probabilities of chosen tokens.

    Args:
        logits: shape (..., vocabulary).
        ids: shape (...).
        temperature: above 0.
    """
    # half precision keeps three digits of a log-probability, and the ratio of two of them would be noise
    exact = logits if logits.dtype == torch.float64 else logits.float()
    return torch.log_softmax(exact / temperature, -1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)


def padded(sequences: Sequence[Sequence[int]], device: Any) -> tuple[Tensor, Tensor]:
    """Token ids filled up on the left with 0 and the mask of what counts, both of shape (sequences, longest)."""
    width = max(map(len, sequences))
    rows = [[0] * (width - len(one)) + list(one) for one in sequences]
    masks = [[0] * (width - len(one)) + [1] * len(one) for one in sequences]
    return torch.tensor(rows, device=device), torch.tensor(masks, device=device)


def positions(mask: Tensor) -> Tensor:
    """The position of each token in its own sequence; filling has position 0."""
    return (mask.cumsum(-1) - 1).clamp(min=0)
