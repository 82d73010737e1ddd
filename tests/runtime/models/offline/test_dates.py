from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.offline.dates import dates_in, local_day, resolve_dates
from designsearch.runtime.records import NO_TIME

MONDAY = 1683504000 + 9 * 3600  # 2023-05-08T09:00, a Monday


@pytest.mark.parametrize(
    ("text", "iso", "words"),
    [
        # days around the base
        ("I ran today", "2023-05-08", "8 May 2023"),
        ("this morning I ran", "2023-05-08", "8 May 2023"),
        ("we ate yesterday", "2023-05-07", "7 May 2023"),
        ("last night was loud", "2023-05-07", "7 May 2023"),
        ("the day before yesterday", "2023-05-06", "6 May 2023"),
        ("see you tomorrow", "2023-05-09", "9 May 2023"),
        ("the day after tomorrow", "2023-05-10", "10 May 2023"),
        # weekdays: the last one before, the first one after
        ("last Saturday we met", "2023-05-06", "6 May 2023"),
        ("last Monday", "2023-05-01", "1 May 2023"),
        ("last Tues.", "2023-05-02", "2 May 2023"),
        ("it rained on Friday", "2023-05-05", "5 May 2023"),
        ("I will call on Friday", "2023-05-12", "12 May 2023"),
        ("next Friday", "2023-05-12", "12 May 2023"),
        ("this Thursday", "2023-05-11", "11 May 2023"),
        # counted
        ("two days ago", "2023-05-06", "6 May 2023"),
        ("a couple of days ago", "2023-05-06", "6 May 2023"),
        ("10 days ago", "2023-04-28", "28 April 2023"),
        ("two weeks ago", "2023-04-24/2023-04-30", "two weeks before 8 May 2023"),
        ("a month ago", "2023-04", "April 2023"),
        ("five months ago", "2022-12", "December 2022"),
        ("three years ago", "2020", "2020"),
        ("we will leave in two weeks", "2023-05-22/2023-05-28", "two weeks after 8 May 2023"),
        ("three days from now", "2023-05-11", "11 May 2023"),
        ("a few days ago", "2023-05-03/2023-05-06", "a few days before 8 May 2023"),
        # periods
        ("last week", "2023-05-01/2023-05-07", "the week before 8 May 2023"),
        ("this week", "2023-05-08/2023-05-14", "the week of 8 May 2023"),
        ("next week", "2023-05-15/2023-05-21", "the week after 8 May 2023"),
        ("last weekend", "2023-05-06/2023-05-07", "the weekend before 8 May 2023"),
        ("this past weekend", "2023-05-06/2023-05-07", "the weekend before 8 May 2023"),
        ("two weekends ago", "2023-04-29/2023-04-30", "two weekends before 8 May 2023"),
        ("this weekend", "2023-05-13/2023-05-14", "the weekend of 8 May 2023"),
        ("last month", "2023-04", "April 2023"),
        ("next month", "2023-06", "June 2023"),
        ("early next month", "2023-06-01/2023-06-10", "early June 2023"),
        ("last year", "2022", "2022"),
        ("last summer", "2022-06-01/2022-08-31", "summer 2022"),
        ("last winter", "2022-12-01/2023-02-28", "winter 2022"),
        # months and days without a year
        ("we moved in March", "2023-03", "March 2023"),
        ("we moved in August", "2022-08", "August 2022"),
        ("we will move in August", "2023-08", "August 2023"),
        ("last March", "2023-03", "March 2023"),
        ("last June", "2022-06", "June 2022"),
        ("on March 5", "2023-03-05", "5 March 2023"),
        ("on 3 November", "2022-11-03", "3 November 2022"),
        ("my flight is on May 20", "2023-05-20", "20 May 2023"),
        ("I met them on the 15th", "2023-04-15", "15 April 2023"),
        ("I am going to meet them on the 15th", "2023-05-15", "15 May 2023"),
        # absolute
        ("5th of March 2023", "2023-03-05", "5 March 2023"),
        ("Sept 3, 2024", "2024-09-03", "3 September 2024"),
        ("2023/3/5", "2023-03-05", "5 March 2023"),
        ("13/05/2023", "2023-05-13", "13 May 2023"),
        ("1:56 pm on 8 May, 2023", "2023-05-08", "8 May 2023"),
        ("around August 2022", "2022-08", "August 2022"),
        ("the last week of September 2023", "2023-09-24/2023-09-30", "the last week of September 2023"),
        ("2024-03", "2024-03", "March 2024"),
        ("since 2016", "2016", "2016"),
        # told from another date
        ("the week before 9 June 2023", "2023-05-29/2023-06-04", "the week before 9 June 2023"),
        ("the Friday before 15 July 2023", "2023-07-14", "14 July 2023"),
        ("two weekends before 17 July 2023", "2023-07-08/2023-07-09", "two weekends before 17 July 2023"),
        ("the weekend of 24 June 2022", "2022-06-25/2022-06-26", "the weekend of 24 June 2022"),
    ],
)
def test_each_way_of_saying_a_date(text, iso, words):
    (found,) = resolve_dates(text, MONDAY)
    assert (found.iso, found.words) == (iso, words)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text",
    [
        "03/05/2023",  # nothing tells day from month
        "31 February 2023",
        "on 2023-13-45",
        "999999 years ago",
        "we may 5 of us go",
        "soldiers march on",
        "May I come in?",
        "over the past year",
        "every Friday",
        "the sun sat low",
        "I finished it in two weeks",
        "2000 steps",
        "昨日は雨でした",
    ],
)
def test_what_is_no_date_or_not_a_certain_one(text):
    assert resolve_dates(text, MONDAY) == []


def test_without_a_base_only_full_dates_resolve():
    found = resolve_dates("Yesterday, on 5 March and on 6 March 2023", None)
    assert [d.iso for d in found] == ["2023-03-06"]
    assert [d.iso for d in resolve_dates("yesterday and 2023-03-06", NO_TIME)] == ["2023-03-06"]


def test_dates_come_in_order_and_do_not_overlap():
    found = resolve_dates("On 3 May 2023 I wrote; last week I read; in June 2022 I slept.", MONDAY)
    assert [d.iso for d in found] == ["2023-05-03", "2023-05-01/2023-05-07", "2022-06"]
    assert [d.relative for d in found] == [False, True, False]


def test_the_base_is_a_local_day():
    assert local_day(MONDAY) == date(2023, 5, 8)
    assert local_day(-1) == date(1969, 12, 31)
    assert local_day(None) is None
    assert local_day(2**62) is None


@given(
    st.dates(date(1950, 1, 1), date(2080, 12, 31)),
    st.sampled_from(
        "yesterday|last Friday|last week|next week|this week|last weekend|next weekend|two weekends ago|three weeks ago"
        "|last month|last year|last summer|next winter|late last month|a few days ago|several months ago".split("|")
    ),
)
def test_the_words_resolve_to_the_same_days_without_a_base(base, said):
    (found,) = dates_in(said, base)
    (again,) = dates_in(f"in {found.words}" if found.precision == "year" else found.words, None)
    assert (again.first, again.last, again.words) == (found.first, found.last, found.words)


@given(st.text(), st.integers())
def test_any_text_and_any_time_are_ordinary_input(text, seconds):
    for found in resolve_dates(text, seconds):
        assert text[found.start : found.end] == found.text
        assert found.first <= found.last
