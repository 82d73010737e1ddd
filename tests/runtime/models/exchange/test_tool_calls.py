from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.json_repair import NotJsonError
from designsearch.runtime.models.exchange.tool_calls import read_arguments

OBJECTS = st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.booleans(), max_size=3), max_size=4)


@given(OBJECTS)
def test_arguments_are_the_same_however_they_come(arguments):
    once = json.dumps(arguments)
    assert read_arguments(arguments) == arguments
    assert read_arguments(once) == arguments
    assert read_arguments(json.dumps(once)) == arguments


@pytest.mark.parametrize("none", ["", "  \n", None, "null", '""', '"null"'])
def test_no_arguments_are_an_empty_object(none):
    assert read_arguments(none) == {}


@pytest.mark.parametrize(
    ("raw", "arguments"), [('{fact: "has pears"}', {"fact": "has pears"}), ("{'fact': 'x',}", {"fact": "x"})]
)
def test_careless_arguments_are_read(raw, arguments):
    assert read_arguments(raw) == arguments


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('{}""', "there is more behind the JSON: '\"\"'"),
        ("[1]", "the arguments are no object"),
        ([1], "the arguments are no object"),
        (0, "the arguments are no object"),
        (False, "the arguments are no object"),
        ("[]", "the arguments are no object"),
        (json.dumps(json.dumps(json.dumps({"a": 1}))), "the arguments are no object"),
        ('{"fact": "has', "the reply breaks off inside a text"),
        ("call it", "a value belongs where 'call it' is"),
    ],
)
def test_anything_else_is_refused(raw, why):
    with pytest.raises(NotJsonError) as caught:
        read_arguments(raw)
    assert str(caught.value) == why


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with suppress(NotJsonError):
        assert isinstance(read_arguments(text), dict)


@pytest.mark.parametrize("raw", ['{"records": [1.0, "\\ud800"]}', {"records": [1.0, "\ud800"]}])
def test_numbers_and_texts_are_those_that_files_and_lists_take(raw):
    assert repr(read_arguments(raw)) == "{'records': [1, '\ufffd']}"


def test_arguments_nested_without_end_are_refused():
    nested = {}
    for _ in range(200):
        nested = {"a": nested}
    for raw in (nested, '{"a":' * 200 + "1" + "}" * 200):
        with pytest.raises(NotJsonError, match="nested"):
            read_arguments(raw)
