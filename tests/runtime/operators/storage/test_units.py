"""What one memory is: the rule of each units operator on small histories."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import call, history_of


def units(op, entries, **params):
    """The texts of the units, and for each the ids of its records."""
    history = history_of(entries)
    made = call("units", op, history, **params)
    sources = [[history.ids[r] for r in made.records[made.offsets[u] : made.offsets[u + 1]]] for u in range(len(made))]
    return list(made.texts), sources


def turn(author, text, session="s", role="", source="conversation"):
    return {"author": author, "text": text, "session": session, "role": role, "source": source}


CHAT = [
    turn("Ana", "hello", role="user"),
    turn("Ana", "are you there?", role="user"),
    turn("Bot", "yes", role="assistant"),
    turn("Bot", "how can I help?", role="assistant"),
    turn("Ana", "tea", role="user"),
    turn("Ana", "new day", "t", role="user"),
    turn("Bot", "good morning", "t", role="assistant"),
    {"text": "a letter", "author": "Eve", "source": "email"},
    {"text": "another", "author": "Eve", "source": "email"},
]


def test_records():
    texts, sources = units("records", CHAT)
    assert texts == [entry["text"] for entry in CHAT]
    assert sources == [[f"r{i}"] for i in range(9)]
    assert units("records", CHAT, sources=["email"]) == (["a letter", "another"], [["r7"], ["r8"]])
    assert units("records", CHAT, sources=["fax"]) == ([], [])


def test_turns_join_what_one_speaker_says_in_a_row():
    assert units("turns", CHAT) == (
        ["hello\nare you there?", "yes\nhow can I help?", "tea", "new day", "good morning", "a letter", "another"],
        [["r0", "r1"], ["r2", "r3"], ["r4"], ["r5"], ["r6"], ["r7"], ["r8"]],
    )


def test_turns_of_some_roles_keep_records_without_one():
    texts, _ = units("turns", CHAT, roles=["user"])
    assert texts == ["hello\nare you there?", "tea", "new day", "a letter", "another"]


def test_turns_are_not_joined_over_what_was_left_out():
    entries = [turn("Ana", "a", role="user"), turn("Bot", "b", role="assistant"), turn("Ana", "c", role="user")]
    assert units("turns", entries, roles=["user"])[0] == ["a", "c"]


def test_exchanges_open_with_the_user():
    texts, _ = units("exchanges", CHAT)
    assert texts == [
        "hello\nare you there?\nyes\nhow can I help?",
        "tea",
        "new day\ngood morning",
        "a letter",
        "another",
    ]


def test_exchanges_where_nobody_has_the_role_open_with_the_first_author():
    entries = [turn("Eve", "a"), turn("Bob", "b"), turn("Bob", "c"), turn("Eve", "d"), turn("Bob", "e")]
    assert units("exchanges", entries)[0] == ["a\nb\nc", "d\ne"]
    assert units("exchanges", entries, opener="Bob")[0] == ["a", "b\nc\nd", "e"]


def test_exchanges_where_everybody_has_the_role_open_with_the_first_author():
    entries = [
        turn(name, text, role="user") for name, text in zip(["Eve", "Bob", "Bob", "Eve", "Bob"], "abcde", strict=True)
    ]
    assert units("exchanges", entries)[0] == ["a\nb\nc", "d\ne"]
    assert units("exchanges", [turn("Eve", "a", role="user"), turn("Eve", "b", role="user")])[0] == ["a\nb"]


def test_sessions_that_run_side_by_side():
    entries = [turn("A", "1", "s"), turn("B", "2", "t"), turn("A", "3", "s"), {"text": "4"}, {"text": "5"}]
    assert units("sessions", entries) == (["1\n3", "2", "4", "5"], [["r0", "r2"], ["r1"], ["r3"], ["r4"]])


def test_windows():
    entries = [turn("A", "one two three"), turn("B", "four five"), turn("A", " six  seven ")]
    assert units("windows", entries, size=5, overlap=2) == (
        ["one two three\nfour five", "four five\nsix  seven"],
        [["r0", "r1"], ["r1", "r2"]],
    )
    assert units("windows", entries, size=5, overlap=0)[0] == ["one two three\nfour five", "six  seven"]
    assert units("windows", entries, size=50)[0] == ["one two three\nfour five\nsix  seven"]


def test_windows_overlap_by_less_than_their_size_whatever_is_asked_for():
    texts, _ = units("windows", [turn("A", "a b c d e f g")], size=5, overlap=9000)
    assert texts == ["a b c d e", "b c d e f", "c d e f g"]


@given(st.integers(1, 40), st.integers(5, 12), st.integers(0, 12))
def test_windows_leave_no_word_out_and_have_the_size_asked_for(words, size, overlap):
    text = " ".join(f"w{i}" for i in range(words))
    made = [window.split() for window in units("windows", [text], size=size, overlap=overlap)[0]]
    assert {word for window in made for word in window} == set(text.split())
    assert all(len(window) == size for window in made[:-1])
    shared = min(overlap, size - 1)
    for before, after in pairwise(made):
        assert before[len(before) - shared :] == after[:shared]
        assert len(after) > shared, "a window that adds nothing"


@pytest.mark.parametrize("op", ["records", "turns", "exchanges", "sessions", "windows"])
def test_an_empty_history_has_no_units(op):
    assert units(op, []) == ([], [])


def test_append_keeps_every_unit():
    made = call("units", "records", history_of(["a", "b"]))
    assert call("write", "append", made) is made
