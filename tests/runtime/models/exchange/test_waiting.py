from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.models.exchange.waiting import LONGEST_BACKOFF, asked_wait, backoff, duration, wait_in_words

NOW = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Wed, 01 May 2024 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Wed, 01 May 2024 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 01 May 2024 15:00:30 GMT", "date": "Wed, 01 May 2024 15:00:00 GMT"}, 30.0),
        ({"retry-after": "Wed, 01 May 2024 12:00:30 GMT", "date": "today"}, 30.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "later"}, None),
        ({"retry-after": ""}, None),
    ],
)
def test_what_a_server_asks_for(headers, seconds):
    assert asked_wait(headers, NOW) == seconds


@given(st.text())
def test_any_header_is_read_or_ignored(text):
    seconds = asked_wait({"retry-after": text, "retry-after-ms": text, "date": text}, NOW)
    assert seconds is None or seconds >= 0


def test_waiting_doubles_up_to_a_limit():
    waits = [backoff(tries, 0.5, "x") for tries in range(1, 20)]
    for tries, wait in enumerate(waits, 1):
        middle = min(LONGEST_BACKOFF, 0.5 * 2 ** (tries - 1))
        assert 0.75 * middle <= wait <= 1.25 * middle


def test_calls_wait_differently_and_each_the_same_every_time():
    waits = [backoff(1, 1.0, f"call {n}") for n in range(50)]
    assert len(set(waits)) == 50
    assert waits == [backoff(1, 1.0, f"call {n}") for n in range(50)]


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Rate limit reached. Please try again in 1.2s. Visit the page.", 1.2),
        ("Please try again in 250ms.", 0.25),
        ("Please try again in 7m12s.", 432.0),
        ("Please try again in 1h2m3.5s", 3723.5),
        ("Please retry in 35.2s.", 35.2),
        ("Please retry after 26 seconds.", 26.0),
        ("Please retry after 2 minutes", 120.0),
        ("try again in a while", None),
        ("try again in 5 months", None),
        ("try again in 5 years", None),
        ("limit 20s", None),
        ("", None),
    ],
)
def test_waits_that_stand_in_words(words, seconds):
    assert wait_in_words(words) == seconds


@pytest.mark.parametrize("text", ["", " ", "s", "-1s", "1", "1e5s", "nans", "9" * 400 + "s"])
def test_what_is_no_duration(text):
    assert duration(text) is None
