import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.cli.tables import Table, clean, one_line, plain_lines, table, width


def test_columns_are_aligned():
    made = table("name", ">number", "why*", rows=[("a", "1", "short"), ("longer", "1,000", "")])
    assert plain_lines(made) == [
        "name    number  why",
        "------  ------  -----",
        "a            1  short",
        "longer   1,000",
    ]


def test_wide_characters_take_two_columns():
    made = table("", "", rows=[("日本", "x"), ("abcd", "y"), ("e\u0301", "z")])
    assert plain_lines(made) == ["日本  x", "abcd  y", "e\u0301     z"]


def test_a_title_and_gaps():
    made = table("a", rows=[("1",), ("2",)], title="all")
    assert plain_lines(Table(made.columns, made.rows, made.title, frozenset({1}))) == ["all", "a", "-", "1", "", "2"]


def test_without_rows_the_heading_stands_alone():
    assert plain_lines(table("a", "b", rows=[])) == ["a  b", "-  -"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\x1b[31mred\x1b[0m", "\ufffd[31mred\ufffd[0m"),
        ("\x9b2J", "\ufffd2J"),
        ("null\x00", "null\ufffd"),
    ],
)
def test_control_characters_cannot_drive_a_terminal(text, shown):
    assert clean(text) == shown


def test_one_line():
    assert one_line(" a\n b\t c ") == "a b c"
    assert one_line("abcdefgh", 6) == "abc..."
    assert one_line("abcdef", 6) == "abcdef"


@given(st.text(max_size=40), st.integers(3, 20))
def test_a_line_is_never_longer_than_its_limit(text, limit):
    shown = one_line(text, limit)
    assert len(shown) <= limit
    assert "\n" not in shown


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), min_size=1, max_size=6))
def test_a_row_stays_a_line(rows):
    lines = plain_lines(table("first", "last", rows=rows))
    assert len(lines) == len(rows) + 2
    assert all("\n" not in line for line in lines)
    assert len({width(line) for line in lines[1:2]}) == 1
