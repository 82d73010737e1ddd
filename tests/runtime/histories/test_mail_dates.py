"""Dates of mails, in the forms that programs have written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.mail_dates import mail_time, newest


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Mon, 01 Jan 2024 10:00:00 +0100", "2024-01-01T10:00:00+01:00"),
        ("Mon, 01 Jan 2024 10:00:00 -0000", "2024-01-01T10:00:00"),
        ("Mon, 1 Jan 2024 10:00 (local time)", "2024-01-01T10:00"),
        ("Mon, 1 Jan 99 10:00:00 GMT", "1999-01-01T10:00:00Z"),
        ("1 Jan 07 10:00 +0530", "2007-01-01T10:00+05:30"),
        ("Monday, January 1, 2024 10:00:00", "2024-01-01"),
        ("Mon Jan  1 10:00:00 2024", "2024-01-01T10:00:00"),
        ("Mon Jan 01 10:00:00 +0000 2024", "2024-01-01T10:00:00Z"),
        ("1-Jan-2024 10:00:00 +0000", "2024-01-01T10:00:00Z"),
        ("Mon, 1 January 2024", "2024-01-01"),
        ("2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z"),
    ],
)
def test_dates(text, time):
    assert mail_time(text).text == time


@pytest.mark.parametrize(
    "text", ["", "Tue, 32 Foo 2024", "Tue, 32 Jan 2024", "soon", "31 Feb 2024 10:00:00 +0000", "25:61"]
)
def test_what_cannot_have_been_is_no_time(text):
    assert mail_time(text) is None


def test_the_newest_of_the_machines():
    assert newest(
        ["by a; Mon, 1 Jan 2024 10:00:00 +0100", "by b; Mon, 1 Jan 2024 09:30:00 +0000", "by c"]
    ).text.endswith("Z")
    assert newest(["by c", ""]) is None


@given(st.text(st.characters(max_codepoint=0x7F)))
def test_any_text_is_a_time_or_none(text):
    found = mail_time(text)
    assert found is None or found.text
