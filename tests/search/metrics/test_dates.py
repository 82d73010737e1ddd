from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.search.metrics.dates import _HERE, Date, _date, find_dates, parse_date
from designsearch.search.metrics.fold import fold


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2023-03-05", "2023-03-05"),
        ("2023.3.5", "2023-03-05"),
        ("2023-03-05T09:30", "2023-03-05T09:30"),
        ("2023-03-05 09:30:15Z", "2023-03-05T09:30Z"),
        ("2023-03-05T09:30+02:00", "2023-03-05T09:30+02:00"),
        ("March 5th, 2023.", "2023-03-05"),
        ("5 march 2023", "2023-03-05"),
        ("8 May, 2023", "2023-05-08"),
        ("the 5th of March", "--03-05"),
        ("on Sunday, 5 March 2023", "2023-03-05"),
        ("March 2023", "2023-03"),
        ("2023-03", "2023-03"),
        ("May of 2023", "2023-05"),
        ("2023", "2023"),
        ("May", "--05"),
        ("13/05/2023", "2023-05-13"),
        ("05/13/2023", "2023-05-13"),
        ("05.05.2023", "2023-05-05"),
        ("29 February", "--02-29"),
        ("2024\u201302\u201329", "2024-02-29"),
    ],
)
def test_dates(text, canonical):
    assert parse_date(text).canonical() == canonical


@pytest.mark.parametrize(
    "text",
    [
        "", "03/05/2023", "2023-02-30", "30 February", "2023-13", "29 February 2023", "The sunday before 25 May 2023",
        "3/5/23", "yesterday", "1990s", "5", "May or June 2023", "5 May 2023 or so", "40 May 2023", "32/13/2023",
    ],
)  # fmt: skip
def test_no_dates(text):
    assert parse_date(text) is None


def test_dates_in_a_text_with_their_places():
    text = fold("Met on 7 May 2023 (2023-05-07T10:00), again March 5; 03/05/2023, version 1.2.2023-x, may 2024!")
    found = list(find_dates(text))
    assert [(f.date.canonical(), text[f.start : f.end]) for f in found] == [
        ("2023-05-07", "7 may 2023"),
        ("2023-05-07T10:00", "2023-05-07t10:00"),
        ("--03-05", "march 5"),
        ("2024-05", "may 2024"),
    ]


@pytest.mark.parametrize(
    ("written", "wanted", "says"),
    [
        (Date(2023, 5, 7), Date(2023, 5, None), True),
        (Date(2023, 5, None), Date(2023, 5, 7), False),
        (Date(2023, 5, 7), Date(None, 5, 7), True),
        (Date(None, 5, 7), Date(2023, 5, 7), False),
        (Date(2023, 5, 7, "10:00"), Date(2023, 5, 7), True),
    ],
)
def test_a_date_says_a_coarser_one(written, wanted, says):
    assert written.says(wanted) is says


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_every_way_of_writing_gives_the_same_date(day):
    month = day.strftime("%B")
    ways = [
        f"{day:%Y-%m-%d}",
        f"{day.year}/{day.month}/{day.day}",
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]} {day.day} {day.year}",
    ]
    assert {parse_date(way).canonical() for way in ways} == {day.isoformat()}


PIECES = [
    "may",
    "5",
    "2023",
    "13",
    "/",
    "-",
    " ",
    ", ",
    "of",
    "the ",
    "th",
    "sept.",
    "03",
    "t09:30",
    ".",
    "\u0663",
    "x",
]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_quick_search_finds_what_a_search_at_every_character_finds(text):
    slow, at = [], 0
    while at < len(text):
        match = _HERE.match(text, at)
        slow += [match.span()] if match and _date(match) else []
        at = max(match.end(), at + 1) if match else at + 1
    assert [(found.start, found.end) for found in find_dates(text)] == slow


@given(st.text(max_size=40))
def test_any_text_is_read_without_an_error(text):
    found = parse_date(text)
    assert found is None or parse_date(found.canonical()) is not None or found.year is None
    folded = fold(text)
    assert all(0 <= f.start < f.end <= len(folded) for f in find_dates(folded))
