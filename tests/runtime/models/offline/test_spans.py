from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.offline.spans import typed_spans

MONDAY = date(2023, 5, 8)


def found(text, base=MONDAY):
    return [(s.kind, s.value, s.unit) for s in typed_spans(text, base)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we met yesterday", [("date", "2023-05-07", "")]),
        ("03/05/2023", [("date", "", "")]),
        ("it opens at 3:30 pm", [("time", "15:30", "")]),
        ("it opens at 12 am", [("time", "00:00", "")]),
        ("it cost $1,234.50", [("money", "1234.5", "usd")]),
        ("it cost 12 euros", [("money", "12", "eur")]),
        ("half, so 50 percent", [("percent", "50", "%")]),
        ("for twenty-one days", [("duration", "21", "day")]),
        ("a run of 5 km", [("number", "5", "km")]),
        ("some 1.2k steps", [("number", "1200", "")]),
        ("we came twice", [("number", "2", "time")]),
        ("I asked Dr. van der Meer", [("name", "Dr. van der Meer", "")]),
        ("I read 'the long way'", [("title", "the long way", "")]),
        ("I read “the long way”", [("title", "the long way", "")]),
        ("one of them", []),
        ("", []),
    ],
)
def test_one_kind_at_a_time(text, expected):
    assert found(text) == expected


def test_a_date_without_a_year_keeps_what_it_says_where_no_base_is_known():
    assert found("on March 5", None) == [("date", "--03-05", "")]
    assert found("on March 5") == [("date", "2023-03-05", "")]


def test_the_number_in_a_name_is_no_number():
    assert found("My Fairphone 4 broke; so did 3 cups") == [("name", "Fairphone 4", ""), ("number", "3", "cup")]


def test_listed_items_and_names_may_overlap():
    spans = typed_spans("I saw Lyon, Nantes and Brest.", None)
    assert [s.text for s in spans if s.kind == "item"] == ["Lyon", "Nantes", "Brest"]
    assert [s.text for s in spans if s.kind == "name"] == ["Lyon", "Nantes", "Brest"]


@given(st.text(alphabet=st.characters(codec="utf-8")) | st.text(alphabet="May 5,12:3/.'\"$%-and AB\n"))
def test_spans_lie_in_the_text_and_typed_ones_do_not_overlap(text):
    spans = typed_spans(text, MONDAY)
    assert all(text[s.start : s.end] == s.text for s in spans)
    flat = [s for s in spans if s.kind not in ("title", "item")]
    assert all(a.end <= b.start for a, b in pairwise(flat))
