from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.runtime.question_dates import EPOCH, question_periods
from designsearch.search.supervision.asked import LATEST, SOONEST
from designsearch.search.supervision.offline.moments import moment, month_of, said

DAYS = st.dates(date(1975, 1, 1), date(2090, 1, 1))


def holds(period, day):
    number = day.toordinal() - EPOCH
    if period.relation == "during":
        return period.first <= number <= period.last
    return number < period.first if period.relation == "before" else number > period.last


@given(DAYS, st.integers(0, 2**32), st.integers(0, 4000))
@settings(max_examples=600)
def test_with_the_year_it_is_understood_at_any_time(day, seed, later):
    phrase = moment(day, Random(seed), years=True)
    for base in (day + timedelta(days=later), None):
        periods = question_periods(f"{phrase}, whom did I mention when talking about kilns and lamps?", base)
        assert len(periods) == 1
        assert holds(periods[0], day)


@given(DAYS, st.integers(0, 2**32), st.integers(SOONEST, LATEST))
@settings(max_examples=600)
def test_the_period_that_is_understood_holds_the_day(day, seed, later):
    phrase = moment(day, Random(seed))
    question = f"{phrase}, whom did I mention when talking about kilns and lamps?"
    periods = question_periods(question, day + timedelta(days=later))
    assert len(periods) == 1
    assert holds(periods[0], day)


@pytest.mark.parametrize("day", [date(2024, 2, 29), date(2023, 12, 31), date(2024, 1, 1), date(2024, 5, 31)])
def test_edges_of_the_calendar(day):
    for seed in range(200):
        periods = question_periods(f"{moment(day, Random(seed))}, what was it?", day + timedelta(days=SOONEST))
        assert [holds(period, day) for period in periods] == [True]


def test_words():
    assert said(date(2024, 2, 9)) == "February 9"
    assert month_of(date(2024, 12, 1)) == "December"
    phrases = {moment(date(2024, 2, 9), Random(seed)) for seed in range(300)}
    assert {"On February 9", "In February 2024", "In early February", "During the second week of February"} <= phrases
    assert any(phrase.startswith("Between ") for phrase in phrases)
