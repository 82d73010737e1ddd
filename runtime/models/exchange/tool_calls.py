"""The arguments of a tool call, however a server passes them on."""

from __future__ import annotations

from typing import Any

from designsearch.runtime.models.exchange.json_repair import NotJsonError
from designsearch.runtime.models.exchange.json_text import cleaned, read_whole
from designsearch.runtime.models.exchange.nesting import too_deep


def read_arguments(raw: Any) -> dict[str, Any]:
    """The arguments as an object.

    None at all (an empty text, ``null``) are no arguments. An object counts as it is; a text is read as JSON, and once
    more where that gave a text again.

    Raises:
        NotJsonError: they are nothing of the kind; the message does not repeat them.
    """
    value = raw
    for _ in range(2):
        if not isinstance(value, str):
            break
        value = read_whole(value) if value.strip() else None
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise NotJsonError("the arguments are no object")
    if too_deep(value):
        raise NotJsonError("the arguments are nested too deep")
    made: dict[str, Any] = cleaned(value)
    return made
