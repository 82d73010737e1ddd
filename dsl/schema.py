"""From the operator registry to JSON Schema (draft 2020-12): for editors, and for validation here.

Nothing is written twice: a parameter's type, bounds, default and description come from its ``Params`` model, the parts
of a design that are not operators from ``dsl/grammar.py``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from designsearch.dsl.grammar import DesignShape
from designsearch.dsl.operators import SLOTS, STAGE_MARK, Operator, Registry, Slot
from designsearch.dsl.when import PATTERN

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@lru_cache(maxsize=512)
def model_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of one model, where ``x-stage`` marks the places of inner stages."""
    schema = _tidy(model.model_json_schema(by_alias=True))
    assert isinstance(schema, dict)
    return schema


def schema_of_model(model: type[BaseModel], title: str) -> dict[str, Any]:
    """A complete schema document of a model that holds no stages, such as a study."""
    schema = model_schema(model)
    if STAGE_MARK in json.dumps(schema):
        raise ValueError(f"{model.__name__} holds stages; only a design does")
    return {"$schema": DIALECT, "title": title, **schema}


def design_schema(registry: Registry) -> dict[str, Any]:
    """The schema of a design: each stage's parameters follow from its ``op``."""
    body = _link(dict(model_schema(DesignShape)))
    definitions = body.pop("$defs")
    for slot in sorted(set(SLOTS.values()) - {"features"}):
        definitions[f"{slot}_stage"] = _stage_schema(registry, slot)
    for op in registry:
        if op.slot != "features":
            definitions |= _operator_schema(op)
    body["patternProperties"] = {"^x-": {"description": "Anything, for other tools; ignored."}}
    return {"$schema": DIALECT, "title": "designsearch design", **body, "$defs": dict(sorted(definitions.items()))}


def render_schema(schema: dict[str, Any]) -> str:
    """The text of a schema file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _stage_schema(registry: Registry, slot: Slot) -> dict[str, Any]:
    """A stage is first an object with a known ``op``; what else it may hold follows from that."""
    names = registry.names(slot)
    summaries = {name: op.summary for name in names if (op := registry.get(slot, name))}
    return {
        "type": "object",
        "required": ["op"],
        "properties": {"op": {"enum": names, "description": _choices(summaries)}},
        "allOf": [
            {
                "if": {"properties": {"op": {"const": name}}, "required": ["op"]},
                "then": {"$ref": f"#/$defs/{slot}.{name}"},
            }
            for name in names
        ],
    }


def _choices(summaries: dict[str, str]) -> str:
    return "The operator.\n\n" + "\n".join(f"- {name}: {summary}" for name, summary in summaries.items())


def _operator_schema(op: Operator) -> dict[str, dict[str, Any]]:
    """The definition of one operator's stage, and those of the models that its parameters use."""
    prefix = f"{op.slot}.{op.name}"
    schema = dict(model_schema(op.params))
    inner = schema.pop("$defs", {})
    properties: dict[str, Any] = {"op": {"const": op.name}}
    if op.slot == "cascade":
        properties["when"] = {
            "type": "string",
            "pattern": PATTERN,
            "description": "A test that decides, question by question, whether the stage applies.",
        }
    schema["properties"] = properties | schema.get("properties", {})
    schema["description"] = op.doc
    renamed = {f"#/$defs/{name}": f"#/$defs/{prefix}.{name}" for name in inner}
    definitions = {prefix: schema} | {f"{prefix}.{name}": value for name, value in inner.items()}
    return {name: _link(_rename(value, renamed)) for name, value in definitions.items()}


def _link(schema: Any) -> Any:
    """Replace each mark of an inner stage by a reference to the stages of its slot."""
    if isinstance(schema, list):
        return [_link(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    linked = {key: _link(value) for key, value in schema.items() if key != STAGE_MARK}
    if STAGE_MARK in schema:
        linked["$ref"] = f"#/$defs/{schema[STAGE_MARK]}_stage"
    return linked


def _rename(schema: Any, references: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename(item, references) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: references.get(value, value) if key == "$ref" and isinstance(value, str) else _rename(value, references)
        for key, value in schema.items()
    }


def _tidy(schema: Any, *, names: bool = False) -> Any:
    """Drop the titles that pydantic makes up, and what only a search reads; ``names`` says that keys are names."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = schema if names else {key: value for key, value in schema.items() if key not in {"title", "tune"}}
    return {key: _tidy(value, names=not names and key in {"properties", "$defs"}) for key, value in kept.items()}
