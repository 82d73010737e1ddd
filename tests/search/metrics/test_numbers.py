import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.search.metrics.numbers import SMALL, Number, parse_number, spell


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("15", "15", None),
        (15, "15", None),
        (15.0, "15", None),
        (2.50, "2.5", None),
        ("007", "7", None),
        ("1,234,567.80", "1234567.8", None),
        ("1,23,456", "123456", None),
        ("12 345", "12345", None),
        ("12\u202f345", "12345", None),
        ("\u22125", "-5", None),
        ("minus five", "-5", None),
        ("-$5", "-5", "usd"),
        ("$-5", "-5", "usd"),
        ("€5", "5", "eur"),
        ("5 €", "5", "eur"),
        ("44,90 €", "44.9", "eur"),
        ("€ 1.380,50", "1380.5", "eur"),
        ("1.380 euros", "1380", "eur"),
        ("1,380.50 €", "1380.5", "eur"),
        ("1.380 km", "1.38", "kilometer"),
        ("$1.380", "1.38", "usd"),
        ("5 dollars", "5", "usd"),
        ("$5 million", "5000000", "usd"),
        ("1.5 million", "1500000", None),
        ("1e3", "1000", None),
        (".5", "0.5", None),
        ("50 per cent", "50", "%"),
        ("3 hrs.", "3", "hour"),
        ("3 children", "3", "child"),
        ("5 dogs", "5", "dog"),
        ("two boxes", "2", "box"),
        ("Five.", "5", None),
        ("one hundred and five", "105", None),
        ("a hundred days", "100", "day"),
        ("two thousand three hundred", "2300", None),
        ("a dozen eggs", "12", "egg"),
        ("\u0663", "3", None),
    ],
)
def test_numbers(text, value, unit):
    assert parse_number(text) == Number(value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "", "about 5", "5 or 6", "30-60", "5 or so", "5 more", "1,23", "12,34", "1/2", "5th", "v5", "five six",
        "twenty zero", "hundred", "and five", "three and a half", "$5 euros", "- -5", "--5", "5 red dogs",
        "03/05/2023", "nan", True, None, float("nan"), float("inf"), "1e999", [],
    ],
)  # fmt: skip
def test_no_numbers(text):
    assert parse_number(text) is None


@given(st.integers(-(10**12), 10**12))
def test_any_whole_number_however_it_is_grouped(n):
    assert parse_number(n) == parse_number(str(n)) == parse_number(f"{n:,}") == Number(str(n), None)


@given(st.integers(0, 99))
def test_spelled_numbers_are_read_back(n):
    assert parse_number(spell(n)) == parse_number(spell(n).replace(" ", "-")) == Number(str(n), None)


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_none(text):
    found = parse_number(text)
    assert found is None or (parse_number(found.value) == Number(found.value, None))


def test_small_number_words():
    assert SMALL["zero"] == 0
    assert SMALL["nineteen"] == 19
    assert SMALL["ninety"] == 90


def test_words_without_end_are_no_number():
    assert parse_number("one hundred " * 5000) is None
    assert parse_number("one" + " hundred" * 5000) is None
    assert parse_number("one" + " hundred" * 3).value == "1000000"
