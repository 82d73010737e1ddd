"""Every shipped design is valid, fits the schema that editors read, and can be edited at each of its numbers."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import designsearch.designs
from designsearch.dsl.diff import diff
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.schema import design_schema
from designsearch.dsl.source import read, read_text
from designsearch.dsl.validate import load_design, load_design_file
from designsearch.runtime.operators import load_all

FOLDER = Path(designsearch.designs.__file__).parent
SHIPPED = sorted(FOLDER.rglob("*.yaml"))


@pytest.fixture(scope="module")
def registry():
    return load_all()


@pytest.fixture(scope="module")
def schema(registry):
    return Draft202012Validator(design_schema(registry))


def test_there_are_some():
    assert len(SHIPPED) >= 3


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_it_is_valid_here_and_in_an_editor(path, registry, schema):
    design = load_design_file(path, registry)
    assert design.name
    assert design.about
    assert list(schema.iter_errors(read(read_text(path)).value)) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_one_more_of_each_whole_number_changes_one_line_and_one_path(path, registry):
    text = read_text(path)
    design = load_design(text, registry=registry)
    for i, stage in enumerate(read(text).value["retrieval"]):
        for name, value in stage.items():
            if type(value) is int:
                edited = apply(text, Edit("set", ("retrieval", i, name), value + 1))
                lines = [new for old, new in zip(text.splitlines(), edited.splitlines(), strict=True) if old != new]
                assert len(lines) == 1
                changes = diff(design, load_design(edited, registry=registry))
                assert [str(change) for change in changes] == [f"retrieval[{i}].{name}: {value} -> {value + 1}"]


def test_every_operator_and_parameter_is_described(registry):
    for op in registry:
        assert op.summary, op.name
        for name, info in op.params.model_fields.items():
            assert info.description, (op.name, name)
