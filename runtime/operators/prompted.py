"""What operators marked LM share: a request out of a prompt, and one call of the helper for all that a batch needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.dsl.needs import REMEDY
from designsearch.dsl.problems import UserError
from designsearch.prompts.load import prompt
from designsearch.runtime.models.requests import Message, Reply, Request
from designsearch.runtime.services import Services


def prompted(name: str, schema: Mapping[str, Any] | None = None, **variables: Any) -> Request:
    """A request out of a prompt of that name with these variables, for text or for JSON that satisfies a schema."""
    made = prompt(name)
    messages = tuple(Message(author, text) for author, text in made.render(**variables))
    return Request(prompt=made.identity, messages=messages, schema=schema)


def ask_helper(services: Services, requests: Sequence[Request]) -> list[Reply]:
    """One reply a request, in order; nothing is asked where there is nothing to ask.

    Raises:
        UserError: there is no helper.
        OutOfBudgetError, CannotContinueError: as :meth:`Model.complete`.
    """
    if not requests:
        return []
    if services.helper is None:
        raise UserError(f"this memory needs a model for the role helper; {REMEDY}")
    return services.helper.complete(requests)


def object_of(**properties: Any) -> dict[str, Any]:
    """JSON Schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
