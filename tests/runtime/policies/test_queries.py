"""Queries that need no model."""

from runtime_fakes import ask, memory_of

from designsearch.runtime.episodes.states import Search, State
from designsearch.runtime.policies.notes import note_of
from designsearch.runtime.policies.queries import Proposals, clauses
from designsearch.runtime.policies.telling import Telling
from designsearch.runtime.records import Query

M = memory_of(
    [
        {"text": "Zoe bought a violet teapot in Porto.", "time": "2024-05-03T10:00:00"},
        {"text": "The teapot broke.", "time": "2024-05-04T10:00:00"},
        {"text": "Rain all day.", "time": "2024-05-04T11:00:00"},
    ],
    "retrieval: [{op: bm25, k: 4}]",
)
QUESTION = "What did Zoe buy on 3 May 2024, and when did the teapot break?"
MADE = Proposals(M, Telling(M))


def test_one_query_a_source():
    found = MADE.of(State(QUESTION, 8), ask(QUESTION).queries[0], frozenset())
    assert {source: query.text for source, query in found.items()} == {
        "question": QUESTION, "name": "Zoe", "date": "3 May 2024", "clause": "What did Zoe buy on 3 May 2024",
    }  # fmt: skip


def test_notes_bring_feedback_their_day_and_what_is_not_covered():
    state = State(QUESTION, 8, notes=(note_of(M, 0),))
    found = MADE.of(state, (), frozenset({"zoe", "teapot", "bought", "buy"}))
    assert found["day"].text == "3 May 2024"
    assert found["feedback"].text == "bought porto violet"
    assert "break" in found["uncovered"].text


def test_nothing_is_searched_for_twice():
    state = State(QUESTION, 8, searches=(Search(Query("question", QUESTION)), Search(Query("keywords", "zoe"))))
    assert {"question", "name"} & set(MADE.of(state, ask(QUESTION).queries[0], frozenset())) == set()


def test_a_question_of_one_clause_has_none():
    assert list(clauses("Where is the violet teapot?")) == []
