"""Wrong kinds of values given to the Python interface: one clear error each, never one from inside."""

from threading import Thread

import pytest
from small_world import DESIGN, HISTORY

from designsearch import Memory, UserError

NO_TEXTS = (None, 5, b"socks", ["socks"])


@pytest.fixture
def memory():
    return Memory.open(DESIGN, HISTORY)


def refused(said, call, *arguments, **named):
    with pytest.raises(UserError) as caught:
        call(*arguments, **named)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("value", [None, 5, {}, [], b"design.yaml"])
def test_a_design(value):
    refused("design: wants a file", Memory.open, value)


@pytest.mark.parametrize("value", [None, 5, b"x", object()])
def test_records(memory, value):
    refused("records: wants one record or several", Memory.open, DESIGN, value)
    refused("records: wants one record or several", memory.add, value)


def test_keys_and_values_that_json_does_not_have():
    refused("<records>:1: the key 1 is not a text", Memory.open, DESIGN, [{"text": "x", 1: 2}])
    refused(
        "<records>:1: id: must be a string or an integer, not a value of type set",
        Memory.open,
        DESIGN,
        {"id": {1}, "text": ""},
    )


@pytest.mark.parametrize("value", NO_TEXTS)
def test_a_question(memory, value):
    for call in (memory.ask, memory.search, memory.context):
        refused("question: wants a text", call, value)


@pytest.mark.parametrize("value", [None, "x", 1.5, True, float("nan")])
def test_whole_numbers(memory, value):
    refused("k: wants a whole number", memory.search, "socks", value)
    refused("budget: wants a whole number", Memory.open, DESIGN, HISTORY, budget=value)
    if value is not None:
        refused("budget: wants a whole number", memory.context, "socks", budget=value)


def test_numbers_that_are_too_small(memory):
    refused("k: must be at least 1, not 0", memory.search, "socks", 0)
    refused("budget: must be at least 1, not -5", memory.context, "socks", budget=-5)


@pytest.mark.parametrize("value", [b"2025", [], object()])
def test_a_time_of_asking(memory, value):
    refused("as_of: wants a time in ISO 8601", memory.ask, "socks", as_of=value)


@pytest.mark.parametrize("value", [None, True, ["m1"], b"m1"])
def test_what_to_forget(memory, value):
    refused("record: wants an id", memory.forget, value)
    assert len(memory) == len(HISTORY)


def test_an_id_that_was_given_as_a_number_is_forgotten_by_it():
    memory = Memory.open(DESIGN, [{"id": 7, "text": "socks"}])
    memory.forget(7)
    assert len(memory) == 0


def test_sources_choose_among_given_records_too():
    rows = [{"text": "socks", "source": "chat"}, {"text": "rent", "source": "mail"}]
    assert len(Memory.open(DESIGN, rows, sources=["mail"])) == 1
    refused("memory: no record comes from source 'post'", Memory.open, DESIGN, rows, sources=["post"])


def test_threads_share_a_memory():
    memory = Memory.open(DESIGN.replace("op: bm25", "op: dense"), [{"id": n, "text": f"sock {n}"} for n in range(40)])
    failed = []

    def work(n):
        try:
            for step in range(6):
                memory.add({"id": f"{n}-{step}", "text": f"shoe {n} {step}"}) if n < 2 else memory.search(
                    f"shoe {step}"
                )
        except Exception as error:
            failed.append(error)

    threads = [Thread(target=work, args=(n,)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(memory) == 52
