"""Times keep their precision, their zone and their local day."""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.times import BadTimeError, first_time, parse_time


def seconds(*parts: int) -> int:
    return calendar.timegm((*parts, *[0] * (6 - len(parts))))


@pytest.mark.parametrize(
    ("raw", "local", "precision", "text"),
    [
        ("2024", seconds(2024, 1, 1), "year", "2024"),
        (2024, seconds(2024, 1, 1), "year", "2024"),
        ("2024-03", seconds(2024, 3, 1), "month", "2024-03"),
        ("2024-03-01", seconds(2024, 3, 1), "day", "2024-03-01"),
        ("20240301", seconds(2024, 3, 1), "day", "2024-03-01"),
        ("2024-03-01T09:30", seconds(2024, 3, 1, 9, 30), "minute", "2024-03-01T09:30"),
        ("2024-03-01 09:30:15", seconds(2024, 3, 1, 9, 30, 15), "second", "2024-03-01T09:30:15"),
        ("2024-03-01T09:30:15.25", seconds(2024, 3, 1, 9, 30, 15), "second", "2024-03-01T09:30:15.250000"),
        ("1:56 pm on 8 May, 2023", seconds(2023, 5, 8, 13, 56), "minute", "2023-05-08T13:56"),
        ("12:09 am on 13 September, 2023", seconds(2023, 9, 13, 0, 9), "minute", "2023-09-13T00:09"),
        ("12:09\u202fp.m. on 13 September 2023", seconds(2023, 9, 13, 12, 9), "minute", "2023-09-13T12:09"),
        ("Wed, 15 May 2024 00:30:00 -0000", seconds(2024, 5, 15, 0, 30), "second", "2024-05-15T00:30:00"),
        ("15 May 2024 00:30", seconds(2024, 5, 15, 0, 30), "minute", "2024-05-15T00:30"),
        ("2024-05-15T00:30-00:00", seconds(2024, 5, 15, 0, 30), "minute", "2024-05-15T00:30"),
    ],
)
def test_a_time_without_a_zone_stays_local(raw, local, precision, text):
    moment = parse_time(raw)
    assert (moment.local, moment.precision, moment.text, moment.zoned) == (local, precision, text, False)
    assert int(moment.instant) == local


@pytest.mark.parametrize(
    ("raw", "day", "instant", "text"),
    [
        ("2024-05-15T00:30+08:00", 15, seconds(2024, 5, 14, 16, 30), "2024-05-15T00:30+08:00"),
        ("2024-05-15T00:30:00+0800", 15, seconds(2024, 5, 14, 16, 30), "2024-05-15T00:30:00+08:00"),
        ("2024-05-14T22:30Z", 14, seconds(2024, 5, 14, 22, 30), "2024-05-14T22:30Z"),
        ("2024-05-14T22:30-05", 14, seconds(2024, 5, 15, 3, 30), "2024-05-14T22:30-05:00"),
        ("Tue, 14 May 2024 22:30:00 -0500", 14, seconds(2024, 5, 15, 3, 30), "2024-05-14T22:30:00-05:00"),
        ("Tue, 14 May 2024 22:30:00 GMT (sent)", 14, seconds(2024, 5, 14, 22, 30), "2024-05-14T22:30:00Z"),
        (1715704200, 14, 1715704200, "2024-05-14T16:30:00Z"),
        (1715704200000, 14, 1715704200, "2024-05-14T16:30:00Z"),
        ("1715704200000", 14, 1715704200, "2024-05-14T16:30:00Z"),
        (1715704200000000, 14, 1715704200, "2024-05-14T16:30:00Z"),
    ],
)
def test_a_zoned_time_keeps_the_day_of_its_author(raw, day, instant, text):
    moment = parse_time(raw)
    assert (moment.instant, moment.text, moment.zoned) == (instant, text, True)
    assert datetime.fromtimestamp(moment.local, UTC).day == day


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        ("2024-02-30", "cannot exist"),
        ("2023-02-29T10:00", "cannot exist"),
        ("2024-13", "cannot exist"),
        ("0000", "cannot exist"),
        ("2024-03-01T24:30", "cannot exist"),
        ("2024-03-01T10:00+19:00", "cannot exist"),
        ("13:56 pm on 8 May, 2023", "cannot exist"),
        ("1:56 pm on 31 June, 2023", "cannot exist"),
        ("1:56 pm on 8 Mayor, 2023", "cannot exist (no month is called Mayor)"),
        ("1:56 pm on 8 Smarch, 2023", "cannot exist (no month is called Smarch)"),
        ("Fri, 31 Jun 2024 00:30:00 +0000", "cannot exist"),
        ("yesterday", "no time that is understood"),
        ("", "no time that is understood"),
        ("2024-03-01T10:00 or so", "no time that is understood"),
        (0, "neither a year nor a time stamp"),
        (12, "neither a year nor a time stamp"),
        (-1715704200, "neither a year nor a time stamp"),
        (float("nan"), "neither a year nor a time stamp"),
        (float("inf"), "neither a year nor a time stamp"),
        (1e30, "neither a year nor a time stamp"),
        (True, "no time"),
    ],
)
def test_what_cannot_be_is_an_error_never_today(raw, part):
    with pytest.raises(BadTimeError) as caught:
        parse_time(raw)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("time", "as_of", "known"),
    [
        ("2024-03-01T09:00", "2024-03-01T09:00", True),
        ("2024-03-01T09:00", "2024-03-01", True),
        ("2024-03-01", "2024-03-01T12:00", False),
        ("2024-03", "2024-03-15", False),
        ("2024-03", "2024-03", True),
        ("2024-02", "2024-02-29", True),
        ("2024", "2024-12-31", True),
        ("2024", "2024-12-30", False),
        ("2024-05-15T00:30+08:00", "2024-05-14T16:30Z", True),
        ("2024-05-15T00:30+08:00", "2024-05-14T16:29Z", False),
        ("2024-05-15T23:30-08:00", "2024-05-15", True),
        ("2024-05-16T00:30+08:00", "2024-05-15", False),
    ],
)
def test_what_is_known_by_a_time(time, as_of, known):
    assert parse_time(time).known_by(parse_time(as_of)) is known


zones = st.one_of(st.none(), st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))))
stamps = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=zones)  # noqa: DTZ001


@given(stamps)
def test_iso_times_read_as_the_standard_library_reads_them(stamp):
    moment = parse_time(stamp.isoformat())
    wall = stamp.replace(tzinfo=None, microsecond=0) - datetime(1970, 1, 1)  # noqa: DTZ001
    assert moment.local == wall // timedelta(seconds=1)
    assert datetime.fromisoformat(moment.text) == stamp
    assert moment.zoned is (stamp.tzinfo is not None)


@given(stamps)
def test_the_normal_form_reads_as_itself(stamp):
    once = parse_time(stamp.isoformat())
    assert parse_time(once.text) == once


@given(st.text(max_size=40))
def test_any_text_is_a_time_or_a_clear_error(text):
    try:
        moment = parse_time(text)
    except BadTimeError as error:
        assert str(error)  # noqa: PT017
    else:
        assert parse_time(moment.text).local == moment.local


def test_the_first_of_several_texts_that_is_a_time():
    assert first_time("", "soon", "2024-03-01", "2025").text == "2024-03-01"
    assert first_time("soon", "") is None
