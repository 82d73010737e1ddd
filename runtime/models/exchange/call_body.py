"""The body of a call: a request, written the way that its server takes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.prompts.quoting import quoted
from designsearch.runtime.models.exchange.formats import Way
from designsearch.runtime.models.exchange.surrogates import without_halves
from designsearch.runtime.models.requests import Request, Tool
from designsearch.runtime.models.settings import ModelSettings

_AS_JSON = "Reply with JSON only: one value and no other words. It must satisfy this JSON Schema:\n{schema}"
_ONE_TOOL = 'Call exactly one of these tools, as {{"tool": NAME, "arguments": {{...}}}}:\n{tools}'
_SEVERAL_TOOLS = (
    'Call one or more of these tools, {most} times at most, as {{"calls": [{{"tool": NAME, "arguments": {{...}}}}]}}:\n'
    "{tools}"
)
_AGAIN = "Your last reply could not be used, for this reason:\n{reason}\n{wanted}"
_WHOLE_JSON = "Reply again, whole, with the JSON alone. It must satisfy this JSON Schema:\n{schema}"
_WHOLE_CALL = "Call exactly one of the tools, with arguments that fit it."
_WHOLE_CALLS = "Call the tools again, all that you want called, with arguments that fit them."

_NEVER_STRICT = frozenset(
    "allOf oneOf not if then else minLength maxLength uniqueItems contains patternProperties dependentRequired".split()
)
_BYTES_OF_WORDS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "
_TOKENS_AROUND_A_MESSAGE = 8


def chat_body(
    request: Request, settings: ModelSettings, way: Way, limit: int, wrong: tuple[str, str] | None = None
) -> dict[str, Any]:
    """The body of a call to ``/chat/completions``.

    Args:
        request: what is asked.
        settings: the model and how it is asked.
        way: how this server wants it.
        limit: the longest reply, in tokens.
        wrong: the last reply and what was wrong with it, where it is asked for again.
    """
    body: dict[str, Any] = {"model": settings.model, "messages": _messages(request, way, wrong), way.limit: limit}
    if way.temperature:
        body["temperature"] = settings.temperature
    if way.seed:
        body["seed"] = request.replicate
    schema = wanted_schema(request, way)
    if schema is not None:
        body |= _response_format(request, schema, way)
    elif request.tools:
        body |= {"tools": [_native(tool) for tool in request.tools], "tool_choice": "required"}
        body |= {"parallel_tool_calls": True} if request.most_calls > 1 and way.parallel else {}
    return body | {name: value for name, value in settings.send.items() if name != "messages"}


def wanted_schema(request: Request, way: Way) -> Mapping[str, Any] | None:
    """The schema of the JSON that a call asks for, ``None`` where it asks for text or for a native tool call."""
    if not request.tools:
        return request.schema
    return tool_schema(request.tools, request.most_calls) if way.tools == "json" else None


def tool_schema(tools: Sequence[Tool], most_calls: int = 1) -> Mapping[str, Any]:
    """The schema of a call of one of the tools, as JSON; of a list of calls in an object where several may be made."""
    calls = [
        {
            "type": "object",
            "properties": {"tool": {"const": tool.name}, "arguments": tool.parameters},
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    one = calls[0] if len(calls) == 1 else {"anyOf": calls}
    if most_calls == 1:
        return one
    return {
        "type": "object",
        "properties": {"calls": {"type": "array", "items": one, "minItems": 1, "maxItems": most_calls}},
        "required": ["calls"],
        "additionalProperties": False,
    }


def most_tokens(body: Mapping[str, Any]) -> int:
    """The length of a call in tokens, estimated from above.

    Letters and spaces of English count for half a token each, every other byte for a whole one: no tokenizer in use
    makes more of a text.
    """
    sent = {name: body[name] for name in ("messages", "input", "tools", "response_format") if name in body}
    data = json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    others = len(data.translate(None, _BYTES_OF_WORDS))
    return others + -(-(len(data) - others) // 2) + _TOKENS_AROUND_A_MESSAGE * (len(body.get("messages", ())) + 1)


def _messages(request: Request, way: Way, wrong: tuple[str, str] | None) -> list[dict[str, str]]:
    messages = [{"role": message.role, "content": without_halves(message.content)} for message in request.messages]
    words = _words(request, way)
    if words:
        users = [n for n, message in enumerate(messages) if message["role"] == "user"]
        if users:
            last = messages[users[-1]]
            last["content"] = f"{last['content']}\n\n{words}"
        else:
            messages.append({"role": "user", "content": words})
    if wrong is not None:
        written, reason = wrong
        if written:
            messages.append({"role": "assistant", "content": written})
        messages.append({"role": "user", "content": _again(request, way, reason)})
    return messages


def _words(request: Request, way: Way) -> str:
    """What a server that is not told otherwise must be told in words."""
    schema = wanted_schema(request, way)
    if schema is None:
        return ""
    parts = []
    if request.tools:
        wanted = _ONE_TOOL if request.most_calls == 1 else _SEVERAL_TOOLS
        tools = "\n".join(f"- {tool.name}: {tool.about}" for tool in request.tools)
        parts.append(wanted.format(tools=tools, most=request.most_calls))
    if way.structured != "json_schema":
        parts.append(_AS_JSON.format(schema=_compact(schema)))
    return "\n\n".join(parts)


def _again(request: Request, way: Way, reason: str) -> str:
    schema = wanted_schema(request, way)
    call = _WHOLE_CALL if request.most_calls == 1 else _WHOLE_CALLS
    wanted = call if schema is None else _WHOLE_JSON.format(schema=_compact(schema))
    return _AGAIN.format(reason=quoted(reason, "reason"), wanted=wanted)


def _response_format(request: Request, schema: Mapping[str, Any], way: Way) -> dict[str, Any]:
    if way.structured == "json_schema":
        name = re.sub(r"[^a-zA-Z0-9_-]+", "_", request.purpose)[:64] or "reply"
        format_ = {"name": name, "strict": schema.get("type") == "object" and is_strict(schema), "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": format_}}
    return {"response_format": {"type": "json_object"}} if way.structured == "json_object" else {}


def is_strict(schema: Any) -> bool:
    """Whether a schema is one that servers can hold a model to strictly.

    Each object is closed, each property required, and no keyword is used that OpenAI's strict mode does not know.
    """
    if isinstance(schema, list):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    if not _NEVER_STRICT.isdisjoint(schema):
        return False
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        closed = schema.get("additionalProperties") is False and set(schema.get("required", ())) >= set(properties)
        return closed and all(is_strict(part) for part in properties.values())
    if schema.get("type") == "object":
        return False
    return all(is_strict(part) for part in schema.values())


def _native(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.about, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _compact(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
