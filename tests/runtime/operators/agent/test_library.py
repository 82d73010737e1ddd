import pytest
from runtime_fakes import WordCounter, ask, call, memory_of

from designsearch.runtime.operators.agent.library import SNIPPET, Library
from designsearch.runtime.services import Services

TALK = [
    {"text": f"{word} day", "session": session, "time": f"2024-05-0{i + 1}"}
    for i, (word, session) in enumerate(
        [("kayak", "a"), ("tea", "b"), ("river", "a"), ("tram", "a"), ("note", ""), ("milk", "a")]
    )
]


def library(entries=TALK, design=""):
    return Library(memory_of(entries, design, Services(counter=WordCounter())))


@pytest.mark.parametrize("design", ["", "storage: {units: {op: sessions}}"])
def test_it_searches_records_whatever_the_store_holds(design):
    assert library(TALK, design).search("rivers and trams", 5) == [2, 3]
    assert library(TALK, design).search("day", 2) == [0, 1]
    assert library(TALK, design).search("nothing", 5) == []


def test_the_search_is_that_of_bm25():
    m = memory_of(TALK, "storage: {units: {op: records}}")
    assert Library(m).search("kayak day", 6) == call("cascade", "bm25", ask("kayak day"), m).ids.tolist()


def test_snippets_are_cut():
    (shown,) = library([{"text": "long " * 500, "time": "2024-05-01"}]).snippets([0])
    assert shown.startswith("Wednesday 2024-05-01: long")
    assert shown.count("long") == SNIPPET


def test_pages_are_those_of_the_session_nearest_first_as_far_as_tokens_last():
    assert list(library().pages(2, 100)) == [0, 2, 3, 5]
    assert list(library().pages(2, 4)) == [0, 2]
    assert list(library().pages(2, 2)) == [2]
    assert list(library().pages(2, 1).values()) == ["Friday 2024-05-03: river ..."]


def test_a_record_without_a_session_stands_alone():
    assert list(library().pages(4, 100)) == [4]
