"""Replies drawn from a model token by token, with the log-probability of each token as it was drawn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from inspect import signature
from typing import Any

import torch
from torch import Tensor

from designsearch.search.training.lora.logps import padded, positions
from designsearch.search.training.lora.utterances import Utterance


class Sampler:
    """Draws replies.

    Args:
        model: a causal language model of transformers, with or without adapters.
        ends: ids that end a reply.
        seed: of the draws; the same calls in the same order give the same replies.
        at_once: replies drawn together; the memory that their keys and values take bounds it.
    """

    def __init__(self, model: Any, ends: Collection[int], seed: int = 0, at_once: int = 16) -> None:
        self._model = model
        self._ends = torch.tensor(sorted(ends), device=model.device)
        self._at_once = at_once
        self._cache = _cache_name(model)
        self._chance = torch.Generator(device=model.device).manual_seed(seed)

    def sampled(self, prompts: Sequence[Sequence[int]], limits: Sequence[int], temperature: float) -> list[Utterance]:
        """One reply a prompt, in order.

        Args:
            prompts: token ids, never empty.
            limits: the most tokens of each reply.
            temperature: 0 takes the likeliest token each time; its log-probability is then that at temperature 1.
        """
        found: dict[int, Utterance] = {}
        # like lengths together, so that little is filled up
        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
        was = self._model.training
        self._model.eval()
        for start in range(0, len(order), self._at_once):
            rows = order[start : start + self._at_once]
            with torch.no_grad():
                made = self._batch([prompts[i] for i in rows], [limits[i] for i in rows], temperature)
            found.update(zip(rows, made, strict=True))
        self._model.train(was)
        return [found[i] for i in range(len(prompts))]

    def _batch(self, prompts: list[Sequence[int]], limits: list[int], temperature: float) -> list[Utterance]:
        ids, mask = padded(prompts, self._model.device)
        place, cache, steps = positions(mask), None, []
        left = torch.tensor(limits, device=ids.device)
        running = left > 0
        while bool(running.any()):
            out = self._model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=place,
                use_cache=True,
                logits_to_keep=1,
                **{self._cache: cache},
            )
            cache = getattr(out, self._cache)
            token, logp = self._drawn(out.logits[:, -1], temperature)
            steps.append((token, logp, running))
            left = left - 1
            running = running & ~torch.isin(token, self._ends) & (left > 0)
            ids, place = token.unsqueeze(-1), place[:, -1:] + 1
            mask = torch.cat([mask, mask.new_ones(len(prompts), 1)], -1)
        return self._utterances(prompts, steps)

    def _drawn(self, logits: Tensor, temperature: float) -> tuple[Tensor, Tensor]:
        exact = logits if logits.dtype == torch.float64 else logits.float()
        logps = torch.log_softmax(exact / (temperature or 1.0), -1)
        if temperature:
            token = torch.multinomial(logps.exp(), 1, generator=self._chance)
        else:
            token = logps.argmax(-1, keepdim=True)
        return token.squeeze(-1), logps.gather(-1, token).squeeze(-1)

    def _utterances(self, prompts: list[Sequence[int]], steps: list[tuple[Tensor, Tensor, Tensor]]) -> list[Utterance]:
        if not steps:
            return [Utterance(tuple(prompt), (), (), ended=False) for prompt in prompts]
        tokens, logps, valid = (torch.stack(part, -1).tolist() for part in zip(*steps, strict=True))
        ends = set(self._ends.tolist())
        made = []
        for prompt, own, values, alive in zip(prompts, tokens, logps, valid, strict=True):
            said = tuple(token for token, there in zip(own, alive, strict=True) if there)
            kept = tuple(value for value, there in zip(values, alive, strict=True) if there)
            made.append(Utterance(tuple(prompt), said, kept, ended=bool(said) and said[-1] in ends))
        return made


def _cache_name(model: Any) -> str:
    """What this version of transformers calls the keys and values of earlier tokens."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    return "cache" if "cache" in signature(base.forward).parameters else "past_key_values"
