from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import ask, history_of, ranked, rows_of

from designsearch.runtime.records import Column, Rankings, Units

ROWS = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=5), max_size=5)


@given(ROWS)
def test_ragged_arrays(rows):
    made = ranked(*rows) if rows else Rankings.empty(0)
    assert rows_of(made) == rows
    assert len(made) == len(rows)
    assert made.sizes.tolist() == [len(row) for row in rows]
    assert made.owners.tolist() == [q for q, row in enumerate(rows) for _ in row]
    assert made.ranks.tolist() == [i + 1 for row in rows for i in range(len(row))]


@given(ROWS, st.lists(st.integers(0, 4), max_size=4))
def test_select_and_keep(rows, wanted):
    made = Rankings.of([(row, [1.0] * len(row)) for row in rows])
    wanted = [w for w in wanted if w < len(rows)]
    assert rows_of(made.select(np.array(wanted, np.int64))) == [rows[w] for w in wanted]
    assert rows_of(made.keep(made.ids % 2 == 0)) == [[u for u in row if u % 2 == 0] for row in rows]


def test_sorted():
    made = Rankings.of([([4, 2, 9], [0.5, 1.0, 0.5]), ([], []), ([1, 0], [2.0, 2.0])]).sorted()
    assert rows_of(made) == [[2, 4, 9], [], [0, 1]]


def test_columns():
    column = Column.of(["a", "", "a", "b"])
    assert column.codes.tolist() == [0, 1, 0, 2]
    assert [column[i] for i in range(4)] == ["a", "", "a", "b"]
    assert column.take(np.array([3, 0]))[0] == "b"


def test_queries_of_some_questions():
    batch = ask("a", "b", "c", as_of=["2024", None, "2025"])
    part = batch.select(np.array([2, 0]))
    assert part.questions == ("c", "a")
    assert part.as_of.tolist() == [batch.as_of[2], batch.as_of[0]]
    assert [own[0].text for own in part.queries] == ["c", "a"]


BASE = {"text": "tea", "time": "2024-01-01", "author": "Ana", "session": "s"}


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Tea"},
        {"id": "other"},
        {"time": "2024-01-02"},
        {"time": "2024-01"},
        {"author": "Ben"},
        {"role": "user"},
        {"session": "t"},
        {"source": "email"},
        {"section": "x"},
        {"reply_to": "r1"},
        {"refs": ("r1",)},
        {"scope": "agent"},
        {"meta": {"place": "home"}},
    ],
)
def test_a_fingerprint_changes_with_everything_that_is_stored(change):
    one, other = history_of([BASE, "cat"]), history_of([BASE | change, "cat"])
    assert one.fingerprint == history_of([BASE, "cat"]).fingerprint
    assert one.fingerprint != other.fingerprint


def test_the_name_changes_no_fingerprint():
    history = history_of([BASE])
    assert replace(history, name="other").fingerprint == history.fingerprint


def test_texts_that_run_together_differ():
    fingerprints = {history_of(texts).fingerprint for texts in (["a\x1f", "b"], ["a", "\x1fb"], ["a\x1fb", ""])}
    assert len(fingerprints) == 3

    def units(*texts):
        spans = np.zeros(len(texts), np.int64)
        return Units(texts, np.arange(len(texts) + 1), spans, spans, spans)

    assert units("a\x1f", "b").fingerprint != units("a", "\x1fb").fingerprint


def test_a_record_as_people_see_it():
    record = history_of([BASE | {"meta": {"k": 1}, "reply_to": "r9"}]).record(0)
    assert (record.id, record.text, record.time, record.author) == ("r0", "tea", "2024-01-01", "Ana")
    assert (record.reply_to, record.meta, record.refs) == ("r9", {"k": 1}, ())


@given(st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=5))
def test_of_entries_that_repeat_the_first_counts(rows):
    owners = np.array([q for q, row in enumerate(rows) for _ in row], np.int64)
    ids = np.array([unit for row in rows for unit in row], np.int64)
    made = Rankings.first_of(len(rows), owners, ids, np.arange(len(ids), dtype=np.float64))
    assert rows_of(made) == [list(dict.fromkeys(row)) for row in rows]
    firsts = [i for i in range(len(ids)) if ids[i] not in ids[:i][owners[:i] == owners[i]]]
    assert made.scores.tolist() == firsts
