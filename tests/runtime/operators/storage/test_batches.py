"""Where batches begin, and what moves when a record comes or goes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import history_of

from designsearch.runtime.operators.storage.batches import exchanges, single, windows


def said(author, session="s", role="", text="x"):
    return {"text": text, "session": session, "author": author, "role": role}


def authors_of(entries, opener="user", size=10):
    history = history_of(entries)
    return ["".join(history.authors[row] for row in batch) for batch in exchanges(history, opener, size)]


@pytest.mark.parametrize(
    ("talk", "opener", "expected"),
    [
        ("ABAB", "user", ["AB", "AB"]),
        ("ABAB", "B", ["A", "BA", "B"]),
        ("AABBAB", "user", ["AABB", "AB"]),
        ("BABA", "user", ["B", "AB", "A"]),
        ("ACBCAB", "user", ["AC", "BC", "AB"]),
        ("AAAA", "user", ["AAAA"]),
    ],
)
def test_the_opener_else_the_first_in_the_alphabet_opens(talk, opener, expected):
    assert authors_of([said(a) for a in talk], opener) == expected


def test_a_role_opens_whatever_the_names():
    talk = [said("Z", role="user"), said("A", role="assistant"), said("Z", role="user"), said("A", role="assistant")]
    assert authors_of(talk) == ["ZA", "ZA"]


def test_sessions_do_not_mix_and_a_record_without_one_stands_alone():
    talk = [said("A", "s"), said("A", "t"), said("B", "s"), said("B", "t"), said("A", ""), said("B", "")]
    assert authors_of(talk) == ["AB", "AB", "A", "B"]


def test_a_long_exchange_is_cut():
    cut = authors_of([said("A")] * 100, size=5)
    assert len(cut) > 5
    assert max(map(len, cut)) <= 10
    assert sum(map(len, cut)) == 100


def test_windows_have_the_size_on_average_and_twice_at_most():
    history = history_of([said("A", session=str(i // 500)) for i in range(2000)])
    sizes = [len(batch) for batch in windows(history, 8)]
    assert sum(sizes) == 2000
    assert max(sizes) <= 16
    assert 4 < 2000 / len(sizes) < 9


def test_each_record_alone():
    assert single(history_of(["a", "b"])) == [[0], [1]]


def batches_of(entries, cut):
    history = history_of(entries)
    return Counter(tuple((history.ids[r], history.texts[r]) for r in batch) for batch in cut(history))


def numbered(talk):
    return [said(author, session, text=f"t{i}") | {"id": f"m{i}"} for i, (author, session) in enumerate(talk)]


@given(
    talk=st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from(["s", "t"])), min_size=1, max_size=30),
    at=st.integers(0, 29),
    cut=st.sampled_from([lambda h: exchanges(h, "user", 200), lambda h: windows(h, 4)]),
)
def test_a_new_text_and_a_new_last_record_move_no_other_batch(talk, at, cut):
    entries = numbered(talk)
    at %= len(entries)
    edited = [entry | ({"text": "new"} if i == at else {}) for i, entry in enumerate(entries)]
    before = batches_of(entries, cut)
    (changed,) = batches_of(edited, cut) - before
    assert (f"m{at}", "new") in changed
    added = [*entries, said("B", text="last") | {"id": "last"}]
    (changed,) = batches_of(added, cut) - before
    assert ("last", "last") in changed


@given(
    talk=st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from(["s", "t"])), min_size=1, max_size=30),
    at=st.integers(0, 29),
)
def test_without_a_record_at_most_one_exchange_is_new(talk, at):
    entries = numbered(talk)
    at %= len(entries)

    def cut(history):
        return exchanges(history, "user", 200)

    new = batches_of(entries[:at] + entries[at + 1 :], cut) - batches_of(entries, cut)
    assert new.total() <= 1


def test_without_a_record_few_windows_are_new():
    entries = numbered([("A", "s")] * 120)

    def cut(history):
        return windows(history, 5)

    before = batches_of(entries, cut)
    new = [(batches_of(entries[:at] + entries[at + 1 :], cut) - before).total() for at in range(len(entries))]
    assert sum(new) / len(new) < 2
    assert max(new) <= 4
