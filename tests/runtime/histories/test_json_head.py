"""The keys that stand at the head of a JSON file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.json_head import head_keys


@pytest.mark.parametrize(
    ("head", "keys"),
    [
        ('{"a": 1, "b": {"c": 2}}', {"a", "b"}),
        ('[{"a": 1}, null, {"b": "x\\": {"}]', {"a", "b"}),
        ('  [{"a": [{"c": 1}], "te\\u0078t": "not a', {"a", "text"}),
        ('[["a", {"b": 1}]]', set()),
        ('"a": 1', set()),
        ("", set()),
        ('{"a": "cut off in an escape \\', {"a"}),
        ("}}]]{", set()),
    ],
)
def test_only_keys_of_the_document_or_its_items_count(head, keys):
    assert head_keys(head) == keys


@given(st.dictionaries(st.text(max_size=3), st.recursive(st.text(max_size=5), st.lists) | st.integers(), max_size=4))
def test_of_a_whole_document_they_are_its_keys(value):
    assert head_keys(json.dumps(value)) == set(value) == head_keys(json.dumps([value]))
