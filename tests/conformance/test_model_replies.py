"""The obliging model keeps to every kind of schema that prompts use."""

import pytest
from jsonschema import Draft202012Validator
from model_replies import least, obliging

from designsearch.runtime.models.requests import Message, Request, Tool

SCHEMAS = [
    {"type": "string", "minLength": 20},
    {"type": "string", "maxLength": 2},
    {"type": "integer", "minimum": 3},
    {"type": "number", "exclusiveMinimum": 0},
    {"type": ["string", "null"]},
    {"enum": ["add", "none"]},
    {"const": 4},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3},
    {"type": "array", "items": {"type": "boolean"}, "maxItems": 0},
    {"anyOf": [{"type": "null"}, {"type": "string"}]},
    {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"a": {"type": "array", "items": {"enum": [1, 2]}, "minItems": 1}},
    },
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_value_satisfies_its_schema(schema):
    Draft202012Validator(schema).validate(least(schema))


def test_a_list_that_may_be_empty_is_not():
    assert least({"type": "array", "items": {"type": "null"}}) == [None]


def test_tools_in_turn_and_then_the_last_one():
    tools = tuple(Tool(name, "", {"type": "object"}) for name in ("search", "answer"))
    asked = [Message("user", "?")]
    chosen = []
    for _ in range(3):
        chosen.append(obliging(Request("p", tuple(asked), tools=tools))["tool"])
        asked.append(Message("assistant", "..."))
    assert chosen == ["search", "answer", "answer"]
