"""The file of calls: what is kept, what it costs, and what a killed process leaves."""

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.models.books.calls import CallStore, call_key
from designsearch.runtime.models.books.spending import Spending
from designsearch.runtime.models.books.tallies import read_spending, read_tallies
from designsearch.runtime.models.requests import Message, Reply, Request, Tool

REQUEST = Request("memory/facts@1-aa", (Message("user", "Who?"),))
REPLY = Reply(text="Ana", value={"a": [1]}, input_tokens=7, output_tokens=3, seconds=1.5, cost=0.25, calls=2)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "calls.sqlite"


def test_a_reply_comes_back_with_what_it_took_and_marked(path):
    store = CallStore(path)
    store.keep("k", "helper", "memory/facts", REPLY)
    store.close()
    assert CallStore(path).find(["k", "other"]) == {"k": replace(REPLY, cached=True)}


def test_text_in_any_form_comes_back(path):
    odd = replace(REPLY, text="é \ud800 \x00 {{ 7*7 }} 😀", value=None)
    store = CallStore(path)
    store.keep("k", "helper", "p", odd)
    assert store.find(["k"])["k"].text == odd.text


def test_a_failed_reply_is_not_found_again(path):
    store = CallStore(path)
    store.keep("k", "helper", "p", Reply(failure="invalid", calls=1))
    assert store.find(["k"]) == {}


def test_a_replay_finds_failed_replies_too_and_writes_nothing(path):
    store = CallStore(path)
    failed = Reply(failure="invalid", detail="no JSON", calls=1)
    store.keep("k", "helper", "p", failed)
    store.close()
    before = path.read_bytes()
    replay = CallStore(path, replay=True)
    assert replay.find(["k"]) == {"k": replace(failed, cached=True)}
    replay.count("", "helper", "p", failed)
    replay.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, prompt="memory/facts@2-bb"),
        replace(REQUEST, messages=(Message("system", "Who?"),)),
        replace(REQUEST, messages=(Message("user", "Who"), Message("user", "?"))),
        replace(REQUEST, schema={"type": "object"}),
        replace(REQUEST, tools=(Tool("t", "does", {"type": "object"}),)),
        replace(REQUEST, most_calls=2),
        replace(REQUEST, max_output_tokens=5),
        replace(REQUEST, replicate=1),
    ],
)
def test_everything_that_is_asked_is_in_the_key(other):
    assert call_key("helper", "m#1", REQUEST) == call_key("helper", "m#1", replace(REQUEST))
    assert call_key("helper", "m#1", other) != call_key("helper", "m#1", REQUEST)


def test_role_and_model_are_in_the_key():
    keys = {call_key(role, model, REQUEST) for role in ("helper", "judge") for model in ("m#1", "m#2")}
    assert len(keys) == 4


def test_many_keys_are_found_at_once(path):
    store = CallStore(path)
    for i in range(1203):
        store.keep(f"k{i}", "helper", "p", replace(REPLY, text=str(i)))
    found = store.find([f"k{i}" for i in range(1300)])
    assert [found[f"k{i}"].text for i in range(1203)] == [str(i) for i in range(1203)]
    assert len(found) == 1203


def test_what_a_killed_process_had_in_flight_counts_at_its_most(path):
    store = CallStore(path)
    first = store.reserve("base", "helper", "p", Spending(1, 0.5, 100, 50))
    store.reserve("trial 1", "judge", "q", Spending(1, 0.3, 10, 20))
    store.settle(first, "base", "helper", "p", Spending(1, 0.1, 60, 5))
    store.flush()
    # not closed, as after kill -9: what was written is all there is
    assert read_spending(path) == Spending(2, 0.4, 70, 25)
    after = CallStore(path)
    assert after.spent() == Spending(2, 0.4, 70, 25)
    assert [(t.work, t.role, t.purpose, t.spent.usd) for t in after.tallies()] == [
        ("base", "helper", "p", 0.1),
        ("trial 1", "judge", "q", 0.3),
    ]
    after.close()
    assert CallStore(path).spent() == Spending(2, 0.4, 70, 25)  # and once only


def test_a_settlement_that_was_not_written_costs_its_most(path):
    store = CallStore(path)
    number = store.reserve("base", "helper", "p", Spending(1, 0.5, 100, 50))
    store.settle(number, "base", "helper", "p", Spending(1, 0.1, 60, 5))
    assert read_spending(path) == Spending(1, 0.5, 100, 50)
    store.reserve("base", "helper", "p", Spending(1, 0.2, 1, 1))  # writes what waited, too
    assert read_spending(path) == Spending(2, pytest.approx(0.3), 61, 6)


def test_replies_are_tallied_by_what_came_of_them(path):
    store = CallStore(path)
    for reply in (REPLY, replace(REPLY, cached=True), Reply(failure="timeout", seconds=2.0), REPLY):
        store.count("base", "helper", "p", reply)
    store.write_tallies()
    (tally,) = read_tallies(path)
    assert (tally.replies, tally.cached, tally.failed, tally.seconds) == (4, 1, {"timeout": 1}, 5.0)


def test_vectors_are_kept(path):
    store = CallStore(path)
    store.keep_vectors({"a": np.array([0.5, -1.5], np.float32)})
    store.close()
    found = CallStore(path).find_vectors(["a", "b"])
    assert list(found) == ["a"]
    assert found["a"].tolist() == [0.5, -1.5]


def test_facts_are_kept_by_server_and_model(path):
    facts = CallStore(path).facts("http://a/v1", "m")
    facts["tools"] = "json"
    facts["structured"] = "prompt"
    del facts["structured"]
    store = CallStore(path)
    assert dict(store.facts("http://a/v1", "m")) == {"tools": "json"}
    assert dict(store.facts("http://a/v1", "n")) == {}


def test_further_files_are_read_and_never_changed(path, tmp_path):
    origin = CallStore(path)
    origin.keep("old", "helper", "p", REPLY)
    origin.keep("both", "helper", "p", REPLY)
    origin.close()
    before = path.read_bytes()
    store = CallStore(tmp_path / "fork.sqlite", also_read=[path])
    store.keep("both", "helper", "p", replace(REPLY, text="own"))
    found = store.find(["old", "both", "none"])
    assert {key: reply.text for key, reply in found.items()} == {"old": "Ana", "both": "own"}
    store.close()
    assert path.read_bytes() == before
    assert CallStore(tmp_path / "fork.sqlite").spent() == Spending()


def test_a_file_in_a_folder_that_cannot_be_written_is_read(path):
    store = CallStore(path)
    store.keep("k", "helper", "p", REPLY)
    store.close()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert CallStore(None, also_read=[path]).find(["k"])["k"].text == "Ana"
    finally:
        path.parent.chmod(0o700)


def test_another_process_reads_while_it_is_written(path):
    store = CallStore(path)
    for i in range(50):
        number = store.reserve("base", "helper", "p", Spending(1, 1.0, 10, 10))
        store.settle(number, "base", "helper", "p", Spending(1, 0.5, 5, 5))
        store.flush()
        assert read_spending(path).calls == i + 1


def test_a_damaged_file_is_one_clear_error(path):
    path.parent.mkdir()
    path.write_bytes(b"this is no database, and longer than a hundred bytes" * 10)
    with pytest.raises(CannotContinueError) as error:
        CallStore(path)
    assert str(error.value) == (
        f"{path}: damaged, or no file of model calls (file is not a database); put a copy back, or move it away, and "
        "what it held will be asked and paid for again"
    )


def test_a_file_that_was_cut_is_one_clear_error(path):
    store = CallStore(path)
    for i in range(500):
        store.keep(f"k{i}", "helper", "p", replace(REPLY, text="x" * 500))
    store.close()
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(CannotContinueError, match="damaged, or no file of model calls"):
        CallStore(path).find([f"k{i}" for i in range(500)])


def test_a_file_of_another_version_is_one_clear_error(path):
    CallStore(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(
        CannotContinueError, match="calls in format 99, and this version of designsearch reads format 1"
    ):
        CallStore(path)


def test_a_file_that_has_to_be_there(path):
    with pytest.raises(CannotContinueError, match="there is no file of model calls"):
        CallStore(path, replay=True)
    with pytest.raises(CannotContinueError, match="there is no file of model calls"):
        read_spending(path)


def test_a_store_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = CallStore(None)
    store.keep("k", "helper", "p", REPLY)
    assert store.find(["k"])["k"].text == "Ana"
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_leaves_no_transaction_open(path):
    store = CallStore(path)
    for _ in range(2):  # the bug itself shows, also the second time
        with pytest.raises(OverflowError):
            store.reserve("base", "helper", "memory/facts", Spending(1, 0.0, 10**30))


@pytest.mark.parametrize("written", ["no JSON", "[1]", '{"text": "x", "unknown": 1}', None])
def test_a_reply_that_cannot_be_read_is_one_clear_error(path, written):
    store = CallStore(path)
    store.keep("key", "helper", "memory/facts", REPLY)
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE replies SET reply = ?", (written,))
    store = CallStore(path)
    with pytest.raises(CannotContinueError, match=r"calls.sqlite: damaged, .* \(a row that cannot be read\); put"):
        store.find(["key"])
    store.close()


def test_a_vector_or_a_sum_that_cannot_be_read_is_one_clear_error(path):
    store = CallStore(path)
    store.keep_vectors({"key": np.ones(3, np.float32)})
    store.settle(store.reserve("base", "helper", "x", Spending(1)), "base", "helper", "x", Spending(1))
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE vectors SET vector = ?", (b"12345",))
    store = CallStore(path)
    with pytest.raises(CannotContinueError, match="a row that cannot be read"):
        store.find_vectors(["key"])
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE spending SET usd = NULL")
        db.execute("INSERT INTO spending VALUES ('base', 'judge', 'x', NULL, 1.0, 1, 1)")
    with pytest.raises(CannotContinueError, match="a row that cannot be read"):
        read_spending(path)
