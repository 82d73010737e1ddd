from datetime import date

import pytest

from designsearch.runtime.models.offline import calendar_words as cal


@pytest.mark.parametrize(
    ("unit", "steps", "first", "last"),
    [
        ("week", 0, date(2023, 5, 8), date(2023, 5, 14)),
        ("week", -1, date(2023, 5, 1), date(2023, 5, 7)),
        ("weekend", -1, date(2023, 5, 6), date(2023, 5, 7)),
        ("weekend", 1, date(2023, 5, 13), date(2023, 5, 14)),
        ("monday", -1, date(2023, 5, 1), date(2023, 5, 1)),
        ("monday", 0, date(2023, 5, 8), date(2023, 5, 8)),
        ("monday", 2, date(2023, 5, 22), date(2023, 5, 22)),
        ("month", -5, date(2022, 12, 1), date(2022, 12, 31)),
        ("year", 1, date(2024, 1, 1), date(2024, 12, 31)),
    ],
)
def test_periods_before_and_after_a_monday(unit, steps, first, last):
    assert cal.shifted(date(2023, 5, 8), unit, steps)[:2] == (first, last)


def test_the_weekend_before_a_sunday_is_the_one_that_is_over():
    assert cal.shifted(date(2023, 5, 7), "weekend", -1)[0] == date(2023, 4, 29)


def test_a_period_outside_the_calendar_is_an_error():
    with pytest.raises((ValueError, OverflowError)):
        cal.shifted(date(2023, 5, 8), "year", -3000)


@pytest.mark.parametrize(
    ("words", "count"),
    [("a", 1), ("12", 12), ("twelve", 12), ("a couple  of", 2), ("couple", 2), ("a few", None), ("several", None)],
)
def test_count_words(words, count):
    assert cal.count_of(words) == count


def test_winter_runs_into_the_next_year():
    assert cal.season_period(2023, "winter")[:2] == (date(2023, 12, 1), date(2024, 2, 29))
