import pytest

from designsearch.dsl.moments import Moment, ago, clock, day

EXACT = Moment(1709631000, "2024-03-05T09:30:00+02:00")


def test_it_prints_as_the_source_wrote_it():
    assert str(EXACT) == "2024-03-05T09:30:00+02:00"
    assert str(Moment(None)) == ""
    assert not Moment(None)
    assert EXACT


@pytest.mark.parametrize(
    ("text", "date", "time"),
    [
        ("2024-03-05T09:30:00+02:00", "2024-03-05", "09:30"),
        ("2024-03-05T23:59:59Z", "2024-03-05", "23:59"),
        ("2024-03-05 09:30", "2024-03-05", "09:30"),
        ("2024-03-05", "2024-03-05", ""),
        ("2024-03", "2024-03", ""),
        ("2024", "2024", ""),
        ("", "", ""),
        ("around Easter", "around Easter", ""),
    ],
)
def test_no_more_precision_than_the_source_has(text, date, time):
    assert day(Moment(None, text)) == date
    assert clock(Moment(None, text)) == time


def test_seconds_stand_in_for_a_text_that_is_not_iso():
    assert day(Moment(0, "1 January 1970")) == "1970-01-01"
    assert clock(Moment(3661, "1 January 1970")) == "01:01"
    assert day(Moment(10**18, "far off")) == "far off"


@pytest.mark.parametrize(
    ("then", "now", "words"),
    [
        ("2024-03-05T23:00", "2024-03-05T01:00", "today"),
        ("2024-03-04T23:59", "2024-03-05T00:01", "yesterday"),
        ("2024-03-06", "2024-03-05", "tomorrow"),
        ("2024-03-01", "2024-03-05", "4 days ago"),
        ("2024-02-20", "2024-03-05", "2 weeks ago"),
        ("2024-01-06", "2024-03-05", "8 weeks ago"),
        ("2024-01-05", "2024-03-05", "2 months ago"),
        ("2022-03-06", "2024-03-05", "23 months ago"),
        ("2022-03-05", "2024-03-05", "2 years ago"),
        ("2024-06-05", "2024-03-05", "in 3 months"),
        ("2024-03-25", "2024-03-05", "in 2 weeks"),
        ("2024-03", "2024-03-05", "this month"),
        ("2024-02", "2024-03-05", "last month"),
        ("2023-12", "2024-03-05", "3 months ago"),
        ("2020-12", "2024-03-05", "3 years ago"),
        ("2023", "2024-03-05", "last year"),
        ("2025", "2024-03-05", "next year"),
        ("2021", "2024-03-05", "3 years ago"),
    ],
)
def test_ago_compares_local_calendar_days_months_and_years(then, now, words):
    assert ago(Moment(None, then), Moment(None, now)) == words


def test_ago_gives_the_date_where_a_side_is_unknown():
    assert ago(EXACT, Moment(None)) == "2024-03-05"
    assert ago(Moment(None), EXACT) == ""


def test_a_day_that_no_calendar_has_is_compared_by_months():
    assert ago(Moment(None, "2023-02-30"), Moment(None, "2023-05-01")) == "3 months ago"
