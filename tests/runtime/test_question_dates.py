from datetime import date

import pytest

from designsearch.runtime.question_dates import EPOCH, question_periods

ASKED = date(2024, 5, 15)  # a Wednesday


def periods(question, base=ASKED):
    return [
        (date.fromordinal(p.first + EPOCH).isoformat(), date.fromordinal(p.last + EPOCH).isoformat(), p.relation)
        for p in question_periods(question, base)
    ]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I eat on 3 May 2023?", "2023-05-03", "2023-05-03"),
        ("on May 3rd", "2024-05-03", "2024-05-03"),
        ("on 2023-05-07", "2023-05-07", "2023-05-07"),
        ("on 13/05/2023", "2023-05-13", "2023-05-13"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("the summer of 2022", "2022-06-01", "2022-08-31"),
        # relative to the day of asking
        ("yesterday", "2024-05-14", "2024-05-14"),
        ("3 days ago", "2024-05-12", "2024-05-12"),
        ("last week", "2024-05-06", "2024-05-12"),
        ("last month", "2024-04-01", "2024-04-30"),
        ("last Saturday", "2024-05-11", "2024-05-11"),
        # ranges
        ("from 3 May to 9 June 2023", "2023-05-03", "2023-06-09"),
        ("from Dec 30, 2021 to Jan 2", "2021-12-30", "2022-01-02"),
        ("from December to February 2023", "2022-12-01", "2023-02-28"),
        ("between March and June 2023", "2023-03-01", "2023-06-30"),
        ("between 3 May 2023 and 9 May 2023", "2023-05-03", "2023-05-09"),
        ("from 2023-05-02 until 2023-05-05", "2023-05-02", "2023-05-05"),
        ("between 14 February and the 3rd of March", "2024-02-14", "2024-03-03"),
        # ranges within one month
        ("between 3 and 9 May", "2024-05-03", "2024-05-09"),
        ("between 3 and 9 May 2023", "2023-05-03", "2023-05-09"),
        ("from the 3rd to the 9th of May 2023", "2023-05-03", "2023-05-09"),
        ("3-9 May", "2024-05-03", "2024-05-09"),
        ("from January 15th to 24th", "2024-01-15", "2024-01-24"),
        ("January 15–24, 2024", "2024-01-15", "2024-01-24"),
        ("May 3 to 9, 2023", "2023-05-03", "2023-05-09"),
        ("between May 3rd and 9th", "2024-05-03", "2024-05-09"),
        # no ranges
        ("between 7:30 and 9 May", "2024-05-09", "2024-05-09"),
        ("I ate 5 and 3 May", "2024-05-03", "2024-05-03"),
        ("3 and 9 May", "2024-05-09", "2024-05-09"),
        ("7:30 on 3 May to 14:00", "2024-05-03", "2024-05-03"),
    ],
)
def test_a_period(question, first, last):
    assert periods(question) == [(first, last, "during")]


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("before 3 May 2023", "before"),
        ("until 3 May 2023", "before"),
        ("prior to the 3 May 2023", "before"),
        ("after 3 May 2023", "after"),
        ("since 3 May 2023", "after"),
        ("following 3 May 2023", "after"),
        ("at 3 May 2023", "during"),
        ("what I said before, on 3 May 2023", "during"),
    ],
)
def test_before_and_after(question, relation):
    assert periods(question) == [("2023-05-03", "2023-05-03", relation)]


def test_several_periods():
    assert periods("on 3 May 2023, and before June 2022") == [
        ("2023-05-03", "2023-05-03", "during"),
        ("2022-06-01", "2022-06-30", "before"),
    ]
    assert periods("between 3 and 9 May 2023 and after June 2023") == [
        ("2023-05-03", "2023-05-09", "during"),
        ("2023-06-01", "2023-06-30", "after"),
    ]


def test_a_range_that_would_end_before_it_begins_is_two_days():
    assert periods("from 9 May 2023 to 3 May 2023") == [
        ("2023-05-09", "2023-05-09", "during"),
        ("2023-05-03", "2023-05-03", "during"),
    ]


def test_leap_days():
    assert periods("from 29 February to 3 March 2023", date(2024, 6, 1)) == [("2023-02-28", "2023-03-03", "during")]


@pytest.mark.parametrize("question", ["how many cats do I have?", "may I come in?", "", "March to the hill"])
def test_no_date(question):
    assert periods(question) == []


def test_what_needs_the_day_of_asking_is_left_out_without_it():
    assert periods("yesterday or on 3 May", None) == []
    assert periods("on 3 May 2023", None) == [("2023-05-03", "2023-05-03", "during")]


def test_length():
    assert [p.days for p in question_periods("in May 2023 or on 3 May 2023", ASKED)] == [31, 1]
