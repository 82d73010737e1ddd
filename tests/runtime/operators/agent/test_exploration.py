from runtime_fakes import memory_of

from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators.agent.exploration import FALLBACK, Exploration
from designsearch.runtime.operators.agent.library import Library
from designsearch.runtime.records import NO_TIME


def explore(texts, k=2):
    return Exploration("kayak", NO_TIME, Library(memory_of(texts)), steps=4, k=k, read=100)


def test_numbers_stay_with_their_records():
    made = explore(["kayak", "kayak and tea", "tea"])
    made.take(Reply(value={"tool": "search", "arguments": {"query": "tea"}}), left=3)
    shown = made.request(3).messages[-1].content
    assert shown.index("Memory 3:\n") < shown.index("Memory 2:\n")
    assert "Memory 1:\n" not in shown


def test_a_search_that_finds_nothing_keeps_what_was_found_last():
    made = explore(["kayak", "tea"])
    made.take(Reply(value={"tool": "search", "arguments": {"query": "nothing"}}), left=3)
    assert "finds nothing" in made.request(3).messages[-1].content
    assert made.ranked() == [0]
    assert not made.done


def test_a_failure_falls_back_on_more_of_the_plain_search():
    made = explore([f"kayak {i}" for i in range(FALLBACK + 5)])
    assert len(made.ranked()) == 2
    made.take(Reply(failure="server"), left=3)
    assert made.done
    assert made.ranked() == list(range(FALLBACK))
