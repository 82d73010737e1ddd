import math

import pytest
from runtime_fakes import ask, call, memory_of, ranked

DAYS = ["2023-04-30", "2023-05-03T09:00", "2023-05-05", "2023-05-31T23:30", None, "2023-06-10"]
M = memory_of([{"text": str(d), "time": d} for d in DAYS])
IDS = [M.history.row[f"r{i}"] for i in range(len(DAYS))]


def feature(name, question, as_of="2023-07-01T12:00"):
    return pytest.approx(call("features", name, ranked(IDS), ask(question, as_of=as_of), M).tolist())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("on 3 May 2023", [0, 1, 0, 0, 0, 0]),
        ("on 3 May or on 10 June", [0, 1, 0, 0, 0, 1]),
        ("in May 2023", [0, 0, 0, 0, 0, 0]),
        ("before 3 May 2023", [0, 0, 0, 0, 0, 0]),
        ("", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_day(question, expected):
    assert expected == feature("day", question)


def test_day_is_relative_to_the_time_of_asking():
    assert feature("day", "yesterday", "2023-05-04T08:00") == [0, 1, 0, 0, 0, 0]
    assert feature("day", "today", None) == [0, 0, 0, 0, 0, 1], "where that is unknown to the newest record"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("in May 2023", [0, 31**-0.5, 31**-0.5, 31**-0.5, 0, 0]),
        ("between 3 and 5 May", [0, 3**-0.5, 3**-0.5, 0, 0, 0]),
        ("in 2023 or between 3 and 5 May", [365**-0.5, 3**-0.5, 3**-0.5, 365**-0.5, 0, 365**-0.5]),
        ("on 3 May 2023", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_interval(question, expected):
    assert expected == feature("interval", question)


def test_near():
    days = [3, 0, 2, 28, None, 38]
    expected = [math.exp(-d / 3) if d else 0 for d in days]
    assert expected == feature("near", "on 3 May 2023")
    assert feature("near", "before 3 May 2023") == [0] * 6


def test_order():
    assert [math.exp(-3 / 5), 1, 0, 0, 0, 0] == feature("order", "before 3 May 2023")
    assert [0, 1, *(math.exp(-d / 5) for d in (2, 28)), 0, math.exp(-38 / 5)] == feature("order", "after 3 May 2023")
    assert feature("order", "on 3 May 2023") == [0] * 6


def test_age_and_future():
    days = [31, 27 + 15 / 24, 26]
    expected = [-math.log1p(d / 7) for d in days]
    made = call("features", "age", ranked(IDS[:3]), ask("?", as_of="2023-05-31"), M).tolist()
    assert made == pytest.approx(expected)
    assert feature("future", "?", "2023-05-31T12:00") == [0, 0, 0, 1, 0, 1]
    assert feature("future", "?", None) == [0] * 6
    assert feature("age", "?", None) == [0] * 6
