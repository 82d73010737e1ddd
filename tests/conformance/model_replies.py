"""Replies of a model that does what it is asked and no more: the least value that satisfies a request's schema."""

from __future__ import annotations

import re

from jsonschema import Draft202012Validator


def obliging(request):
    """A script for ``ScriptedModel``: the least valid JSON, each tool in turn and then the last one, or a word."""
    if request.tools:
        turn = sum(message.role == "assistant" for message in request.messages)
        tool = request.tools[min(turn, len(request.tools) - 1)]
        arguments = least(tool.parameters)
        Draft202012Validator(tool.parameters).validate(arguments)
        if "event_id" in arguments:
            arguments["event_id"] = _first_event(request)
        call = {"tool": tool.name, "arguments": arguments}
        return [call] if request.most_calls > 1 else call
    return "tea" if request.schema is None else least(request.schema)


def _first_event(request):
    """The id of the first event that a search for a policy found."""
    asked = request.messages[1].content
    return re.search(r"^Event (E\d+):\n<event", asked, re.MULTILINE)[1]


def least(schema, root=None):
    """The least value that satisfies a schema; a list has an entry where it may have one."""
    root = schema if root is None else root
    if "$ref" in schema:
        return least(_at(root, schema["$ref"]), root)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return least(schema[key][0], root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    return _KINDS[kind if isinstance(kind, str) else kind[0]](schema, root)


def _at(root, reference):
    for step in reference.removeprefix("#/").split("/"):
        root = root[step]
    return root


def _object(schema, root):
    return {name: least(schema["properties"][name], root) for name in schema.get("required", ())}


def _array(schema, root):
    size = min(max(schema.get("minItems", 0), 1), schema.get("maxItems", 1))
    return [least(schema.get("items", {"type": "string"}), root) for _ in range(size)]


def _string(schema, _):
    return "tea and cake".ljust(schema.get("minLength", 0), "s")[: schema.get("maxLength")]


def _number(schema, _):
    return schema.get("minimum", schema["exclusiveMinimum"] + 1 if "exclusiveMinimum" in schema else 1)


_KINDS = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": lambda schema, root: True,
    "null": lambda schema, root: None,
}
