"""Records as prompts show them."""

import pytest
from runtime_fakes import history_of

from designsearch.runtime.record_messages import message, messages


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"time": "2024-03-01T09:30:59+02:00", "author": "Ana"}, "Friday 2024-03-01 09:30, Ana: hi"),
        ({"time": "2024-03-01", "author": "Ana", "role": "user"}, "Friday 2024-03-01, Ana (user): hi"),
        ({"time": "2024-03", "role": "user"}, "2024-03, user: hi"),
        ({"author": "user", "role": "user"}, "user: hi"),
        ({}, "hi"),
    ],
)
def test_time_and_author_stand_before_what_was_said(fields, expected):
    history = history_of([{"text": "hi"} | fields])
    assert messages(history, [0]) == [expected]


def test_another_text_in_place_of_the_record():
    assert message(history_of([{"text": "hi", "author": "Ana"}]), 0, "a fact") == "Ana: a fact"
