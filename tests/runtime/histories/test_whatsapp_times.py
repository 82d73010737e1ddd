"""Dates at the heads of chat lines: forms of all locales, and whether day or month comes first."""

from __future__ import annotations

import pytest

from designsearch.runtime.histories.day_periods import half_of_day, hour_of
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.whatsapp_times import local_times, stamp_of


def read(*heads):
    report = LoadReport()
    times = local_times([stamp_of(f"{head} Ana: hi")[0] for head in heads], report)
    return times, [str(oddity) for oddity in report.oddities]


@pytest.mark.parametrize(
    "head",
    [
        "5/14/24, 7:03\u202fPM -", "14/5/2024, 7:03\u00a0p.\u00a0m. -", "14.05.24, 19:03 -", "2024-05-14 19:03 -",
        "2024. 5. 14. 오후 7:03 -", "2024/5/14 下午7:03 -", "2024/5/14 午後7:03 -", "2024/05/14 19:03 -",
        "١٤\u200f/٥\u200f/٢٠٢٤، ٧:٠٣ م -", "१४/०५/२४, ७:०३ अपराह्न -", "۲۰۲۴/۵/۱۴،\u200f ۱۹:۰۳ -",
        "14.05.24, 7:03 nachm. -", "14.5.2024 klo 19.03 -", "14.05.24 г., 19:03 -", "14.05.24, 7:03 пп -",
        "14/05/24, 7:03 μ.μ. -", "14/05/2024 à 19:03 -", "2024-05-14 19 h 03 -", "14-05-2024 19:03 -",
        "14.5.2024. 19:03 -", "14/05/2024, 7:03 pm –", "14.05.2024 ÖS 7:03 -", "14/05/24, 7:03 CH -",
        "14/05/24 19:03:", "[14/05/24, 19:03]", "14/5/24, 7:03 ب.ظ -",
    ],
)  # fmt: skip
def test_the_forms_of_all_locales(head):
    assert read(head) == (["2024-05-14T19:03"], [])


@pytest.mark.parametrize(
    ("head", "time"),
    [
        ("5/14/24, 12:01\u202fAM -", "2024-05-14T00:01"),
        ("5/14/24, 12:01 PM -", "2024-05-14T12:01"),
        ("14.05.24, 12:01 vorm. -", "2024-05-14T00:01"),
        ("2024/5/14 午前0:01 -", "2024-05-14T00:01"),
        ("2024/5/14 午後0:01 -", "2024-05-14T12:01"),
        ("2024/5/14 中午12:01 -", "2024-05-14T12:01"),
        ("2024/5/14 凌晨3:01 -", "2024-05-14T03:01"),
        ("[14.05.24, 19:03:59]", "2024-05-14T19:03:59"),
        ("[29/2/24, 7:03:59 a.m.]", "2024-02-29T07:03:59"),
    ],
)
def test_halves_of_the_day_and_seconds(head, time):
    assert read(head)[0] == [time]


@pytest.mark.parametrize(
    "line",
    ["", "hello", "14.05.24 was fine", "14:05 - Ana: hi", "1.2.3, 10:00 - a: b", "2024-05-2024, 10:00 - a: b",
     "[14.05.24, 10:00 - Ana: hi", "14.05.24, 10:00] Ana: hi", "14.05.24, 10:00 Ana: hi"],
)  # fmt: skip
def test_other_lines_begin_with_no_date(line):
    assert stamp_of(line) is None


def test_a_day_above_twelve_decides_for_the_whole_file():
    assert read("3/8/24, 10:00 -", "13/8/24, 10:00 -") == (["2024-08-03T10:00", "2024-08-13T10:00"], [])
    assert read("8/3/24, 10:00 -", "8/13/24, 10:00 -") == (["2024-08-03T10:00", "2024-08-13T10:00"], [])


def test_else_the_order_of_the_messages_decides():
    times, said = read("5/1/24, 10:00 -", "6/1/24, 10:00 -", "1/2/24, 10:00 -")
    assert times == ["2024-01-05T10:00", "2024-01-06T10:00", "2024-02-01T10:00"]
    assert said == ["dates whose order the order of the messages told: day first: 3"]
    times, said = read("1/5/24, 10:00 -", "1/6/24, 10:00 -", "2/1/24, 10:00 -")
    assert times == ["2024-01-05T10:00", "2024-01-06T10:00", "2024-02-01T10:00"]
    assert said == ["dates whose order the order of the messages told: month first: 3"]


def test_what_stays_ambiguous_is_said():
    assert read("3/8/24, 10:00 -") == (
        ["2024-08-03T10:00"], ["dates that could be day first or month first, taken as day first: 1 (3/8/24)"],
    )  # fmt: skip
    assert read("3/8/24, 10:00 AM -") == (
        ["2024-03-08T10:00"], ["dates that could be day first or month first, taken as month first: 1 (3/8/24)"],
    )  # fmt: skip
    assert read("3.8.24, 10:00 AM -")[0] == ["2024-08-03T10:00"]
    assert read("3/3/24, 10:00 AM -") == (["2024-03-03T10:00"], [])


def test_years_of_two_digits_may_come_first():
    assert read("24/05/14, 10:00 -", "24/06/01, 10:00 -") == (["2024-05-14T10:00", "2024-06-01T10:00"], [])


def test_times_that_cannot_be_are_unknown_and_never_now():
    times, said = read("14.05.24, 10:00 -", "31.02.24, 10:00 -", "14.05.24, 25:61 -", "25/2/1403, 10:00 -")
    assert times == ["2024-05-14T10:00", None, None, None]
    assert said[-1].startswith(
        "dates and times that cannot be, or are of another calendar, taken as unknown: 3 (31.2.24"
    )


def test_buddhist_years_are_counted_from_elsewhere():
    assert read("14/5/2567 19:03 -") == (
        ["2024-05-14T19:03"], ["years of the Buddhist calendar, 543 taken off: 1 (14/5/2567)"],
    )  # fmt: skip


def test_words_that_are_not_understood_are_said():
    assert read("14.05.24, 7:03 zzz -") == (
        ["2024-05-14T07:03"], ["words beside the time that are not understood, passed over: 1 (zzz)"],
    )  # fmt: skip


def test_words_for_halves_of_the_day():
    assert half_of_day(" p.\u00a0m.") == ("pm", True)
    assert half_of_day(", ") == (None, True)
    assert half_of_day("??!") == (None, True)
    assert half_of_day("soon") == (None, False)
    assert [hour_of(12, "am"), hour_of(12, "pm"), hour_of(19, "pm"), hour_of(1, "noon"), hour_of(7, None)] == [
        0, 12, 19, 13, 7,
    ]  # fmt: skip
