"""What a JSON Schema error says to a person: the limit, the value received, the choices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import ValidationError

from designsearch.dsl.problems import nearest

TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
_NUMBER = re.compile(r"-?\d[\d_]*(\.\d+)?([eE][-+]?\d+)?")


def short(value: Any) -> str:
    """A value as a message shows it."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The errors to tell: for a choice of forms, those of the form that the value resembles most."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        yield error
        return
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    best = min(branches.values(), key=_mismatch)
    if _mismatch(best) >= _WRONG_TYPE:
        yield error
        return
    for inner in best:
        yield from leaves(inner)


_WRONG_TYPE = 1000


def _mismatch(errors: list[ValidationError]) -> int:
    wrong = sum(_WRONG_TYPE for e in errors if e.validator == "type" and not e.path)
    return wrong + len(errors)


def complaint(error: ValidationError) -> tuple[str, str]:
    """The message and the hint for one error."""
    say = _SAY.get(str(error.validator))
    if say is not None:
        return say(error)
    return f"{error.message.rstrip('.')}", ""


def _list(value: Any) -> list[Any]:
    return list(value)


def _type(error: ValidationError) -> tuple[str, str]:
    wanted = error.validator_value
    return _wants([wanted] if isinstance(wanted, str) else _list(wanted), error.instance, error.schema)


def _any(error: ValidationError) -> tuple[str, str]:
    forms = [_form(error, n, form) for n, form in enumerate(_list(error.validator_value)) if isinstance(form, dict)]
    types = [form["type"] for form in forms if isinstance(form.get("type"), str)]
    if len(types) < len(forms):
        return f"does not fit: got {short(error.instance)}", ""
    mapping = next((form for form in forms if form["type"] == "object"), {})
    first = next(form for form in forms if form["type"] != "null")
    return _wants(types, error.instance, first, _keys(mapping.get("properties", {})))


def _form(error: ValidationError, number: int, form: dict[str, Any]) -> dict[str, Any]:
    """A form of a choice; what it refers to is found in its own complaint about the type."""
    wrong = (e for e in error.context or () if e.schema_path[0] == number and e.validator == "type" and not e.path)
    found = next(wrong, None)
    return found.schema if found is not None and isinstance(found.schema, dict) else form


MOST_KEYS = 6
"""Keys of a mapping that are named."""


def _keys(properties: Mapping[str, Any]) -> str:
    names = list(properties)
    more = ", ..." if len(names) > MOST_KEYS else ""
    return f" ({', '.join(names[:MOST_KEYS])}{more})" if names else ""


def _wants(types: list[str], value: Any, schema: Any, keys: str = "") -> tuple[str, str]:
    words = {**TYPES, "object": f"{TYPES['object']}{keys}"}
    wanted = " or ".join(words.get(t, t) for t in dict.fromkeys(types))
    hint = _type_hint(types, value)
    choices = f", one of {', '.join(map(str, schema['enum']))}" if isinstance(schema, dict) and "enum" in schema else ""
    return f"wants {wanted}{choices}{_limits(schema)}; got {_described(value)}", hint


def _type_hint(types: list[str], value: Any) -> str:
    if isinstance(value, str) and {"integer", "number"} & set(types) and _NUMBER.fullmatch(value):
        return f"write {value.replace('_', '')} without quotes"
    if "string" in types and not isinstance(value, dict | list) and value is not None:
        return "quote it"
    if "array" in types and value is not None:
        return "start each entry with '- '" if isinstance(value, dict) else f"write [{value}]"
    if "boolean" in types and isinstance(value, str):
        return "write true or false, without quotes"
    return ""


_KINDS: dict[type, str] = {str: "the text ", dict: "the mapping ", list: "the list "}


def _described(value: Any) -> str:
    if value is None:
        return "nothing (null)"
    kind = next((name for known, name in _KINDS.items() if isinstance(value, known)), "")
    return kind + short(value)


_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}


def _limits(schema: Any) -> str:
    if not isinstance(schema, dict):
        return ""
    said = [f"{words} {schema[key]}" for key, words in _BOUNDS.items() if key in schema]
    return f" ({' and '.join(said)})" if said else ""


def _bounds(error: ValidationError) -> tuple[str, str]:
    return f"must be {_limits(error.schema).strip(' ()')}; got {short(error.instance)}", ""


def _enum(error: ValidationError) -> tuple[str, str]:
    choices = [str(c) for c in _list(error.validator_value)]
    hint = nearest(error.instance, choices) if isinstance(error.instance, str) else ""
    return f"must be one of {', '.join(choices)}; got {short(error.instance)}", hint


def _const(error: ValidationError) -> tuple[str, str]:
    return f"must be {short(error.validator_value)}; got {short(error.instance)}", ""


def _size(error: ValidationError) -> tuple[str, str]:
    instance: Any = error.instance
    words = "at least" if str(error.validator).startswith("min") else "at most"
    unit = {"s": "entry" if error.validator_value == 1 else "entries", "h": "characters"}[str(error.validator)[-1]]
    return f"must have {words} {error.validator_value} {unit}; got {len(instance)}", ""


def _pattern(error: ValidationError) -> tuple[str, str]:
    return f"{short(error.instance)} does not match {error.validator_value}", ""


_SAY = {
    "type": _type,
    "anyOf": _any,
    "oneOf": _any,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    **dict.fromkeys(_BOUNDS, _bounds),
    **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"), _size),
}
