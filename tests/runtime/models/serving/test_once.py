"""What several threads want is made once."""

from threading import Barrier, Event, Thread

import pytest

from designsearch.runtime.models.serving.once import Once


def test_what_is_known_is_not_made():
    made_of = []

    def make(keys, made):
        made_of.append(keys)
        made.update((key, key.upper()) for key in keys)

    got = Once().get(["a", "b", "a", "c"], lambda keys: {"b": "known"} if "b" in keys else {}, make)
    assert got == {"a": "A", "b": "known", "c": "C"}
    assert made_of == [["a", "c"]]


def test_threads_that_want_the_same_share_it():
    once, start, made_of = Once(), Barrier(8), []

    def make(keys, made):
        made_of.extend(keys)
        Event().wait(0.05)
        made.update((key, int(key)) for key in keys)

    got = []

    def want(first):
        start.wait()
        # each in an order of its own, so that everybody waits for somebody
        keys = [str((first + i) % 8) for i in range(8)]
        got.append(once.get(keys, lambda _: {}, make))

    threads = [Thread(target=want, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert got == [{str(i): i for i in range(8)}] * 8


def test_what_one_thread_failed_to_make_another_makes():
    once, failing, waiting, got = Once(), Event(), Event(), []

    def fail(keys, made):
        failing.set()
        waiting.wait(5)
        raise ValueError("no")

    def second():
        failing.wait(5)
        waiting.set()
        got.append(once.get(["a"], lambda _: {}, lambda keys, made: made.update(a=1)))

    thread = Thread(target=second)
    thread.start()
    with pytest.raises(ValueError, match="no"):
        once.get(["a"], lambda _: {}, fail)
    thread.join(10)
    assert got == [{"a": 1}]


def test_what_was_finished_before_an_error_is_shared():
    once = Once()

    def half(keys, made):
        made["a"] = 1
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        once.get(["a", "b"], lambda _: {}, half)
    assert once.get(["a"], lambda _: {"a": 1}, half) == {"a": 1}
