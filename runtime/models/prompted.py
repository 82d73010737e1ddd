"""A request out of a prompt: its messages, filled in, and what is wanted back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designsearch.prompts.load import prompt
from designsearch.runtime.models.requests import Message, Request
from designsearch.runtime.token_counter import BundledCounter


def prompted(
    name: str,
    schema: Mapping[str, Any] | None = None,
    *,
    max_output_tokens: int | None = None,
    replicate: int = 0,
    **variables: Any,
) -> Request:
    """The request that a prompt makes.

    Args:
        name: the prompt's name.
        schema: JSON Schema that the reply must satisfy; ``None`` for plain text.
        max_output_tokens: the longest reply; ``None`` for the model's own setting.
        replicate: 0-based repetition.
        **variables: exactly those that the prompt declares.

    Raises:
        TypeError: a variable is missing or was not declared.
    """
    messages = messages_of(name, **variables)
    return Request(prompt(name).identity, messages, schema, max_output_tokens=max_output_tokens, replicate=replicate)


def messages_of(name: str, **variables: Any) -> tuple[Message, ...]:
    """The messages of a prompt, filled in.

    Raises:
        TypeError: a variable is missing or was not declared.
    """
    return tuple(Message(author, text) for author, text in prompt(name).render(**variables))


def bare_length(name: str) -> int:
    """Tokens of a prompt without what is filled in, by the bundled counter."""
    declared = prompt(name)
    empty = messages_of(name, **dict.fromkeys(declared.data | declared.plain, ""))
    return int(BundledCounter().count_all([message.content for message in empty]).sum())


def object_of(**properties: Any) -> dict[str, Any]:
    """JSON Schema of an object with exactly these properties, in that order."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
