import pytest

from designsearch.dsl.emit import block, entry, flow, item, scalar
from designsearch.dsl.problems import UserError
from designsearch.dsl.source import read


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (5, "5"),
        (-0.5, "-0.5"),
        (1e-05, "1e-05"),
        (1e22, "1e+22"),
        (5.0, "5.0"),
        ("bm25", "bm25"),
        ("two words", "two words"),
        ("a.b/c", "a.b/c"),
        ("übung", "übung"),
        ("5", '"5"'),
        ("1e3", '"1e3"'),
        ("010", '"010"'),
        ("true", '"true"'),
        ("yes", '"yes"'),
        ("2024-03-01", '"2024-03-01"'),
        ("12:30", '"12:30"'),
        ("~", '"~"'),
        ("", '""'),
        (" x", '" x"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("{{ unit.text }}", '"{{ unit.text }}"'),
        ('say "x"', "'say \"x\"'"),
        ('it\'s "x"', "'it''s \"x\"'"),
        ("C:\\x", "'C:\\x'"),
        ("a\tb", '"a\\tb"'),
        ("<<", '"<<"'),
        ("\u2028", '"\\u2028"'),
        ("😀", '"😀"'),
    ],
)
def test_scalars(value, written):
    assert scalar(value) == written
    assert read(f"a: {written}\n").value == {"a": value}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**63, "a\0b", "\ud800", object(), b"x"])
def test_what_no_document_can_hold(value):
    with pytest.raises(UserError):
        scalar(value)


def test_a_key_must_be_a_text():
    with pytest.raises(UserError, match="the key 1 is not a text"):
        flow({1: 2})


def test_flow():
    assert flow({"op": "bm25", "roles": ["a", "b c"], "x": {}}) == "{op: bm25, roles: [a, b c], x: {}}"


@pytest.mark.parametrize(
    ("value", "head", "lines"),
    [
        ("a\nb\n", "|", ["  a", "  b"]),
        ("a\n\nb", "|-", ["  a", "", "  b"]),
        ("a\n\n", '"a\\n\\n"', []),
        ("\na", '"\\na"', []),
        (" a\nb", '" a\\nb"', []),
        ("a\n \nb", '"a\\n \\nb"', []),
        ("a\r\nb", '"a\\r\\nb"', []),
        ({}, "{}", []),
        ([], "[]", []),
        ({"op": "x", "k": 1}, "{op: x, k: 1}", []),
        ([{"op": "x"}], "", ["  - {op: x}"]),
        ({"a": {"b": {"c": 1}}}, "", ["  a: {b: {c: 1}}"]),
        ({"t": "a\nb\n"}, "", ["  t: |", "    a", "    b"]),
    ],
)
def test_blocks(value, head, lines):
    assert block(value, 2) == (head, lines)


def test_a_long_mapping_becomes_a_block():
    value = {f"parameter_{i}": "a value of some length" for i in range(4)}
    assert entry("a", value, 0)[0] == "a:"
    assert len(item(value, 2)) == 4
    assert item(value, 2)[0].startswith("  - parameter_0: ")


def test_the_neighbourhoods_style_is_kept():
    assert item({"op": "x", "k": 1}, 0, "block") == ["- op: x", "  k: 1"]
    assert item([[1], [2]], 0, "block") == ["- - [1]", "  - [2]"]
    assert len(item({"a": "x" * 70, "b": 1}, 30, "flow")) == 1
