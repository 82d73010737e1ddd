from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.json_repair import DEEPEST, NotJsonError, read_value

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def damaged(value):
    """The value as a careless writer has it: commas before brackets, Python's literals, raw line breaks in strings."""
    if isinstance(value, dict):
        return "{" + "".join(f"{damaged(key)} : {damaged(inner)} ,\n" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + "".join(f"{damaged(inner)},\t" for inner in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


@given(VALUES)
def test_json_proper_is_read_as_it_is(value):
    assert read_value(json.dumps(value)) == (value, len(json.dumps(value)))


@given(VALUES)
def test_what_was_written_carelessly_is_read_as_it_was_meant(value):
    assert read_value(damaged(value))[0] == value


@given(st.text(), st.text())
def test_the_content_of_a_text_never_changes(key, text):
    written = f"{{{json.dumps(key)}: {json.dumps(text)},}}"
    assert read_value(written)[0] == {key: text}


@given(st.text())
def test_a_text_in_single_quotes_is_read_whole(text):
    quoted = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    assert read_value(f"[{quoted},]")[0] == [text]


@given(st.text() | st.text(alphabet="[]{}\"',:\\ \ntrueNone0123456789.eE-+`ab"))
def test_any_text_is_read_or_refused(text):
    with suppress(NotJsonError):
        assert 0 < read_value(text)[1] <= len(text)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('{"a": ["x",]}', {"a": ["x"]}),
        ("{'a': []}", {"a": []}),
        ('{"a": "x, ] , }",}', {"a": "x, ] , }"}),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
        ("{'a': 'one\ntwo'}", {"a": "one\ntwo"}),
        ("""{'a': 'Ana said "no"'}""", {"a": 'Ana said "no"'}),
        (r"""{'a': 'Ana\'s'}""", {"a": "Ana's"}),
        ('{"a": "Ana\'s",}', {"a": "Ana's"}),
        ("[True, False, None, true,]", [True, False, None, True]),
        ('{a: 1, b_2: "x"}', {"a": 1, "b_2": "x"}),
        ("[1.5, -2, 1e3,]", [1.5, -2, 1000.0]),
        ('{"a": 1, "a": 1}', {"a": 1}),
    ],
)
def test_near_json(written, value):
    assert read_value(written) == (value, len(written))


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("NaN", "NaN is no number of JSON"),
        ('{"a": NaN,}', "NaN is no number of JSON"),
        ("[-Infinity]", "-Infinity is no number of JSON"),
        ("[1e999]", "the number 1e999 is too large"),
        ("[1e999,]", "the number 1e999 is too large"),
        ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
        ("{a: 1, a: 2}", "the key 'a' is there twice"),
        ('["a" "b"]', "',' or ']' belongs where '\"b\"]' is"),
        ('{"a" 1}', "':' belongs where '1}' is"),
        ("['it's', 'b']", "',' or ']' belongs where \"s', 'b']\" is"),
        ('["a", "b', "the reply breaks off inside a text"),
        ('["a", "b"', "the reply breaks off where ',' or ']' belongs"),
        ('{"a": ', "the reply breaks off where a value belongs"),
        ("[,]", "a value belongs where ',]' is"),
        (r"['\x41']", "a text whose escapes are those of JSON belongs where"),
        ("[01,]", "a value belongs where '01,]' is"),
        ("[trueish]", "a value belongs where 'trueish]' is"),
        ("", "the reply breaks off where a value belongs"),
    ],
)
def test_what_is_not_meant_beyond_doubt_is_refused(written, why):
    with pytest.raises(NotJsonError) as caught:
        read_value(written)
    assert str(caught.value).startswith(why)


@pytest.mark.parametrize("levels", [DEEPEST + 1, 100_000])
def test_nesting_without_end_is_refused(levels):
    with pytest.raises(NotJsonError, match="nested more than"):
        read_value("[" * levels + "'a'" + "]" * levels)


def test_a_number_of_thousands_of_digits_is_refused():
    with pytest.raises(NotJsonError):
        read_value("[" + "9" * 10_000 + "]")
