"""What there is to say about each operator, read off its declaration: for people and for a model that proposes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from designsearch.dsl.operators import STAGE_MARK, Operator, Registry, StageKind
from designsearch.dsl.schema import model_schema

PLACES: dict[StageKind, str] = {
    "units": "storage.units: what one memory is",
    "view": "storage.views: further texts to search a unit by",
    "write": "storage.write: how units enter the store",
    "query": "retrieval, query stage: what is searched for",
    "retrieve": "retrieval, retriever: adds a ranking",
    "fuse": "retrieval, fusion: makes one ranking of all that are open",
    "refine": "retrieval, refinement: changes the one open ranking",
    "branch": "retrieval, branch: runs cascades of its own",
    "feature": "feature of the score stage",
}
"""Where each kind of operator stands, in the order of a design."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One parameter.

    Attributes:
        name: its name.
        type: what it takes, in words, with its limits.
        default: its default as YAML; ``required`` where there is none.
        value: the default as plain JSON; ``None`` where it is required.
        required: whether a design must give it.
        about: its line.
        tuned: what a search tries; empty where it leaves the parameter alone.
        tune: the same as declared.
    """

    name: str
    type: str
    default: str
    value: Any
    required: bool
    about: str
    tuned: str
    tune: Any


def in_order(registry: Registry) -> Iterator[tuple[str, list[Operator]]]:
    """The operators by place, in the order of a design."""
    for stage, title in PLACES.items():
        operators = [op for op in registry if op.stage == stage]
        if operators:
            yield title, operators


def parameters(op: Operator) -> list[Fact]:
    """The parameters of an operator, in the order declared."""
    return facts_of(op.params)


def facts_of(model: type[BaseModel]) -> list[Fact]:
    """The fields of any model of settings, in the order declared."""
    schema = model_schema(model)
    inner = schema.get("$defs", {})
    fields = {info.alias or name: info for name, info in model.model_fields.items()}
    return [_fact(name, info, schema["properties"][name], inner) for name, info in fields.items()]


def asking_choices(op: Operator) -> list[tuple[str, str]]:
    """The settings with which an operator that works without a model asks one, each with its choice."""
    if not (op.needs_model and op.works_alone):
        return []
    found: list[tuple[str, str]] = []
    for name, about in model_schema(op.params)["properties"].items():
        for choice in about.get("enum", ()):
            setting: dict[str, Any] = {name: choice}
            if op.params.model_construct(**setting).calls_model():
                found.append((name, str(choice)))
    return found


def plain(text: str) -> str:
    """A docstring as text, without the marks of code."""
    return text.replace("``", "")


def _fact(name: str, info: FieldInfo, schema: dict[str, Any], inner: dict[str, Any]) -> Fact:
    required = info.is_required()
    value = None if required else _plain(info.get_default(call_default_factory=True))
    extra = info.json_schema_extra
    tune = extra.get("tune") if isinstance(extra, dict) else None
    return Fact(
        name=name,
        type=_type(schema, inner),
        default="required" if required else _written(value),
        value=value,
        required=required,
        about=info.description or "",
        tuned=_tuned(tune, schema),
        tune=tune,
    )


def _plain(value: Any) -> Any:
    """A default as plain JSON."""

    def inner(one: Any) -> Any:
        return one.model_dump(mode="json") if isinstance(one, BaseModel) else list(one)

    return json.loads(json.dumps(value, default=inner))


def _written(value: Any) -> str:
    """A value as a design would have it."""
    if value is None:
        return "none"
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _type(schema: dict[str, Any], inner: dict[str, Any]) -> str:
    """What a JSON Schema allows, in words."""
    if "$ref" in schema:
        return _type(inner.get(schema["$ref"].rsplit("/", 1)[-1], {}), inner)
    if STAGE_MARK in schema:
        return "stage"
    if "enum" in schema or "const" in schema:
        return " | ".join(_written(one) for one in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " | ".join(_type(one, inner) for one in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return f"list of {_type(schema['items'], inner)}" if "items" in schema else "list"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"mapping to {_type(values, inner)}" if isinstance(values, dict) else "mapping"
    return _KINDS.get(kind or "", kind or "anything") + _limits(schema)


_KINDS = {"integer": "whole number", "string": "text", "boolean": "true | false", "null": "none"}


def _limits(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f" {_number(low)} to {_number(high)}"
    parts = [
        f"{word} {_number(limit)}"
        for word, limit in (("from", low), ("above", above), ("to", high), ("below", below))
        if limit is not None
    ]
    return f" {', '.join(parts)}" if parts else ""


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _tuned(tune: Any, schema: dict[str, Any]) -> str:
    if isinstance(tune, dict):
        return f"{_number(tune['low'])} to {_number(tune['high'])}" + (", log scale" if tune["log"] else "")
    if tune is True:
        return "all of them" if "enum" in schema or schema.get("type") == "boolean" else "yes"
    return ""
