"""What is asked of a language model and what comes back: plain data, whoever stands behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Author = Literal["system", "user", "assistant"]

Failure = Literal["truncated", "no_answer", "invalid", "too_long", "timeout", "server"]
"""Why a request has no usable reply: cut at the limit of tokens; empty, filtered or refused; not the JSON asked for;
longer than the model reads; not in time; the server failed."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Author
    content: str


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that a model may ask to have done.

    Attributes:
        name: what the model calls it.
        about: what it does, in a sentence.
        parameters: JSON Schema of its arguments, an object.
    """

    name: str
    about: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One thing asked of a model.

    Attributes:
        prompt: identity of the prompt, its name and version, as in ``memory/facts@1-3f2a``; under its name the work is
            tallied, and all of it is part of the cache key.
        messages: the conversation so far.
        schema: JSON Schema that the reply must satisfy; ``None`` where plain text is wanted.
        tools: the tools of which the model must call exactly one, or several; not together with ``schema``.
        max_output_tokens: the longest reply; ``None`` for the model's own setting.
        replicate: 0-based repetition; each is a call of its own.
        most_calls: calls of tools that a reply may hold; with more than 1 it holds a list of at least one.
    """

    prompt: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    tools: tuple[Tool, ...] = ()
    max_output_tokens: int | None = None
    replicate: int = 0
    most_calls: int = 1

    @property
    def purpose(self) -> str:
        """The prompt's name without its version."""
        return self.prompt.partition("@")[0]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a request: text, checked JSON, or the reason why there is neither.

    Attributes:
        text: what the model wrote; empty where it failed.
        value: the JSON value where a schema was given, already checked against it; for tools
            ``{"tool": NAME, "arguments": {...}}``, arguments checked, or a list of these where the request lets it hold
            several; ``None`` where it failed.
        failure: why there is no usable reply; empty where there is one. A failed reply is never "nothing found".
        detail: one line about the failure, for people; never a key, never a record's text at length.
        input_tokens, output_tokens: over all calls made for it.
        seconds: time that the calls took; of a cached reply, what they took originally.
        cost: in US dollars, 0 where the model has no price; of a cached reply, the original one.
        calls: calls made for it; of a cached reply, those made originally.
        cached: whether it came out of the cache, at no cost now.
    """

    text: str = ""
    value: Any = None
    failure: Failure | Literal[""] = ""
    detail: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    calls: int = 0
    cached: bool = False

    @property
    def ok(self) -> bool:
        """Whether there is a usable reply."""
        return not self.failure

    @property
    def why(self) -> str:
        """Why there is no usable reply, with its detail; empty where there is one."""
        return f"{self.failure}: {self.detail}" if self.detail else self.failure
