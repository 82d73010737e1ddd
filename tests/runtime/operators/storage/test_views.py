"""The further texts that a unit is searched by."""

import pytest
from runtime_fakes import call, history_of


def view(op, entries, of="records", by=None, **params):
    history = history_of(entries)
    return list(call("views", op, call("units", of, history, **(by or {})), history, **params))


def said(text, session="s", author="A", role=""):
    return {"text": text, "session": session, "author": author, "role": role}


TWO = [said("1", "s"), said("2", "t"), said("3", "s"), said("4", "t"), said("5", "s"), {"text": "6"}, {"text": "7"}]


def test_window_stays_within_the_session_even_where_sessions_run_side_by_side():
    assert view("window", TWO) == ["1\n3", "2\n4", "1\n3\n5", "2\n4", "3\n5", "6", "7"]
    assert view("window", TWO, before=0, after=1) == ["1\n3", "2\n4", "3\n5", "4", "5", "6", "7"]
    assert view("window", TWO, before=0, after=0) == list("1234567")
    assert view("window", TWO, before=9, after=9)[0] == "1\n3\n5"


def test_session_text():
    assert view("session_text", TWO) == ["1\n3\n5", "2\n4", "1\n3\n5", "2\n4", "1\n3\n5", "6", "7"]


CHAT = [
    said("hi", role="user"),
    said("hello, how are you?", author="B", role="assistant"),
    said("elsewhere", "t", author="C", role="assistant"),
    said("fine", role="user"),
    said("and well", role="user"),
    said("good", author="B", role="assistant"),
]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ["hi\nhello, how are you?", "fine\nand well\ngood"]),
        ({"own": False}, ["hello, how are you?", "good"]),
        ({"before": 1}, ["hi\nhello, how are you?", "hello, how are you?\nfine\nand well\ngood"]),
        ({"after": 0}, ["hi", "fine\nand well"]),
        ({"roles": ["user"]}, ["hi", "fine\nand well"]),
        ({"roles": ["user"], "after": 3}, ["hi\nfine\nand well", "fine\nand well"]),
    ],
)
def test_roles(params, expected):
    assert view("roles", CHAT, of="turns", by={"roles": ["user"]}, **params) == expected


def test_roles_of_a_record_without_a_session():
    assert view("roles", [{"text": "a", "author": "A"}, {"text": "b", "author": "B"}]) == ["a", "b"]


def test_metadata_shows_what_is_known():
    entries = [
        {
            "text": "tea",
            "time": "2023-05-08T13:56",
            "author": "Ana",
            "source": "email",
            "section": "Plans",
            "role": "user",
            "session": "s",
        },
        {"text": "cat"},
    ]
    assert view("metadata", entries) == ["2023-05-08T13:56 Ana email Plans tea", "cat"]
    assert view("metadata", entries, fields=["role", "session"]) == ["user s tea", "cat"]
    assert view("metadata", entries, fields=[]) == ["tea", "cat"]
