import json

import pytest
import yaml
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from designsearch.dsl.operators import Cascade, Operator, Params, Registry, param
from designsearch.dsl.schema import design_schema, model_schema, render_schema, schema_of_model


@pytest.fixture(scope="module")
def schema(registry):
    return design_schema(registry)


def errors(schema, text):
    found = Draft202012Validator(schema).iter_errors(yaml.safe_load(text))
    return sorted((".".join(map(str, e.absolute_path)), str(e.validator)) for e in found)


def test_it_is_a_schema_and_every_reference_leads_somewhere(schema):
    Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)
    references = {part.split('"')[0] for part in text.split('"$ref": "#/$defs/')[1:]}
    assert references <= set(schema["$defs"])
    assert "x-stage" not in text


@pytest.mark.parametrize(
    "text",
    [
        "{version: 1, retrieval: [{op: bm25}], x-tool: {a: 1}, notes: [1]}",
        "{version: 1, storage: {units: {op: turns}, views: {w: {op: window, before: 2}}}, retrieval: [{op: bm25}]}",
        "{version: 1, retrieval: [{op: prf, feedback: [{op: bm25}]}, {op: bm25, when: ranking.size < 5}]}",
        "{version: 1, retrieval: [{op: branch, branches: {a: [{op: dense}]}, fuse: {op: rrf}}]}",
        "{version: 1, retrieval: [{op: bm25}], context: {sections: [{from: a, share: 0.5}]}}",
    ],
)
def test_designs_that_fit(schema, text):
    assert errors(schema, text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{version: 1, retrieval: [{op: bm52, k: x}]}", [("retrieval.0.op", "enum")]),
        ("{version: 1, retrieval: [{op: bm25, kk: 1}]}", [("retrieval.0", "additionalProperties")]),
        ("{version: 1, retrieval: [{op: bm25, k: 0}]}", [("retrieval.0.k", "minimum")]),
        ("{version: 1, retrieval: [{op: take}]}", [("retrieval.0", "required")]),
        ("{version: 1, retrieval: [{op: window}]}", [("retrieval.0.op", "enum")]),
        ("{version: 1, retrieval: [{op: bm25, when: sometimes}]}", [("retrieval.0.when", "pattern")]),
        (
            "{version: 1, retrieval: [{op: prf, feedback: [{op: bm25, b: 2}]}]}",
            [("retrieval.0.feedback.0.b", "maximum")],
        ),
        ("{version: 2, retrieval: []}", [("retrieval", "minItems"), ("version", "const")]),
        ("{version: 1, retrival: []}", [("", "additionalProperties"), ("", "required")]),
    ],
)
def test_designs_that_do_not(schema, text, found):
    assert errors(schema, text) == found


def test_descriptions_and_defaults_reach_the_editor(schema):
    bm25 = schema["$defs"]["cascade.bm25"]
    assert bm25["properties"]["k"] == {
        "default": 100, "description": "The most units found.", "maximum": 10_000, "minimum": 1, "type": "integer"
    }  # fmt: skip
    assert "- bm25: " in schema["$defs"]["cascade_stage"]["properties"]["op"]["description"]


def test_it_is_the_same_whatever_the_order_of_registration(registry, schema):
    turned = Registry()
    for op in reversed(list(registry)):
        turned.add(op)
    assert render_schema(design_schema(turned)) == render_schema(schema)


class Inner(BaseModel):
    """A part."""

    title: str = "x"


class Outer(Params):
    """A model with a part."""

    part: Inner = param(Inner(), about="A part.")
    title: int = param(1, about="A parameter may be called title.")
    tune: int = param(1, about="And one tune.", tune=True)


def test_parameters_called_like_keywords_stay(registry):
    properties = model_schema(Outer)["properties"]
    assert set(properties) == {"part", "title", "tune"}
    assert properties["tune"] == {"default": 1, "description": "And one tune.", "type": "integer"}


def test_models_inside_parameters_are_defined_under_their_operator():
    registry = Registry()
    registry.add(Operator("x", "refine", Outer, test_descriptions_and_defaults_reach_the_editor))
    schema = design_schema(registry)
    assert schema["$defs"]["cascade.x"]["properties"]["part"]["$ref"] == "#/$defs/cascade.x.Inner"
    assert "cascade.x.Inner" in schema["$defs"]


def test_schema_of_any_model_without_stages():
    schema = schema_of_model(Outer, "a study")
    assert schema["title"] == "a study"
    assert schema["$schema"].endswith("2020-12/schema")

    class Bad(Params):
        cascade: Cascade = param((), about="x")

    with pytest.raises(ValueError, match="holds stages"):
        schema_of_model(Bad, "x")
