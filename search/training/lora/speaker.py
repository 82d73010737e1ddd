"""A language model in this process, as the rest of the program asks one; it keeps the tokens of what it says."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import torch

from designsearch.runtime.models.exchange.reply_check import check_reply
from designsearch.runtime.models.requests import Reply, Request
from designsearch.search.training.lora.chat import Chat
from designsearch.search.training.lora.sampling import Sampler
from designsearch.search.training.lora.utterances import Utterance

REPLY_TOKENS = 512


class Speaker:
    """Implements :class:`~designsearch.runtime.models.base.Model`, for a policy and for a generative reward model.

    Args:
        model: a causal language model of transformers, with or without adapters.
        chat: its template.
        name: what people call it.
        seed: of the draws.
        temperature: 0 for the likeliest reply each time.
        reply_tokens: the longest reply, where a request asks for none.
        context_tokens: the most that it reads and writes in one reply; ``None`` for what its configuration says.
        at_once: replies drawn together.
    """

    def __init__(
        self,
        model: Any,
        chat: Chat,
        name: str,
        *,
        seed: int = 0,
        temperature: float = 1.0,
        reply_tokens: int = REPLY_TOKENS,
        context_tokens: int | None = None,
        at_once: int = 16,
    ) -> None:
        self.name = name
        self._model = model
        self._chat = chat
        self._sampler = Sampler(model, chat.ends, seed, at_once)
        self._temperature = temperature
        self._reply_tokens = reply_tokens
        self._room = context_tokens or int(model.config.max_position_embeddings)

    @property
    def fingerprint(self) -> str:
        """Of the weights that learn, as they are now, and of how replies are drawn."""
        digest = hashlib.blake2b(digest_size=8)
        for name, weights in sorted(self._model.named_parameters()):
            if weights.requires_grad:
                digest.update(name.encode())
                digest.update(weights.detach().to("cpu", torch.float64).numpy().tobytes())
        return f"{self.name} {digest.hexdigest()} {self._temperature} {self._reply_tokens}"

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply a request, in order; nothing is asked again."""
        return [reply for reply, _ in self.speak(requests)]

    def speak(self, requests: Sequence[Request]) -> list[tuple[Reply, Utterance]]:
        """One reply a request, in order, each with its tokens; what is too long to read is answered with none."""
        prompts = [self._chat.prompt(request.messages, request.tools) for request in requests]
        limits = [
            max(0, min(request.max_output_tokens or self._reply_tokens, self._room - len(prompt)))
            for request, prompt in zip(requests, prompts, strict=True)
        ]
        fitting = [i for i, limit in enumerate(limits) if limit]
        drawn = dict(
            zip(
                fitting,
                self._sampler.sampled([prompts[i] for i in fitting], [limits[i] for i in fitting], self._temperature),
                strict=True,
            )
        )
        made = []
        for i, (request, prompt) in enumerate(zip(requests, prompts, strict=True)):
            if i in drawn:
                made.append((self._reply(request, drawn[i], limits[i]), drawn[i]))
            else:
                detail = f"{len(prompt)} tokens, and the model reads {self._room}"
                made.append((Reply(failure="too_long", detail=detail), Utterance(prompt, (), (), ended=False)))
        return made

    def _reply(self, request: Request, utterance: Utterance, limit: int) -> Reply:
        found = check_reply(self._chat.read(utterance), request, bool(request.tools), False, limit)
        return Reply(
            text=found.text,
            value=found.value,
            failure=found.failure,
            detail=found.detail,
            input_tokens=len(utterance.prompt),
            output_tokens=len(utterance.said),
            calls=1,
        )
