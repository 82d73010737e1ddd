import numpy as np
from supervision_histories import make_history

from designsearch.search.supervision.graph.documents import document_numbers
from designsearch.search.supervision.graph.section_edges import section_edges
from designsearch.search.supervision.graph.session_edges import session_edges


def pairs(edges):
    return {
        (low, high): round(weight, 3)
        for low, high, weight in zip(edges.low.tolist(), edges.high.tolist(), edges.weights.tolist(), strict=True)
    }


def test_a_conversation_is_a_window_and_no_clique():
    history = make_history(*({"session": "a"} for _ in range(5)), {"session": "b"}, {})
    none = np.full(7, -1)
    assert pairs(session_edges(history, none, 2)) == {
        (0, 1): 1.0, (1, 2): 1.0, (2, 3): 1.0, (3, 4): 1.0, (0, 2): 0.5, (1, 3): 0.5, (2, 4): 0.5,
    }  # fmt: skip


def test_conversations_that_mix_in_time_stay_apart():
    history = make_history({"session": "a"}, {"session": "b"}, {"session": "a"}, {"session": "b"})
    assert pairs(session_edges(history, np.full(4, -1), 3)) == {(0, 2): 1.0, (1, 3): 1.0}


def section(name, number, **more):
    return {
        "id": f"{name}#{number}",
        "source": "attachment",
        "section": "S",
        "session": "all",
        "time": "2024-01-01",
    } | more


def test_sections_are_linked_within_their_document_alone_and_are_no_conversation():
    history = make_history(
        section("a.md", 1), section("a.md", 2), section("a.md", 3), section("b.md", 1), section("b.md", 2)
    )
    documents = document_numbers(history)
    assert documents.tolist() == [0, 0, 0, 1, 1]
    assert pairs(section_edges(documents)) == {(0, 1): 1.0, (1, 2): 1.0, (3, 4): 1.0}
    assert pairs(session_edges(history, documents, 3)) == {}


def test_messages_with_a_subject_are_no_sections():
    history = make_history(
        {"source": "email", "section": "Re: plan", "session": "t"},
        {"source": "files", "section": "Plan", "role": "user"},
        {"source": "files", "section": "Plan", "reply_to": "r0"},
        {"source": "files", "section": " "},
    )
    assert document_numbers(history).tolist() == [-1, -1, -1, -1]


def test_files_of_one_mail_are_documents_of_their_own():
    own = {"source": "attachment", "section": "S", "session": "thread", "time": "2024-01-01", "author": "x"}
    history = make_history(own | {"meta": {"file": "a.txt"}}, own | {"meta": {"file": "b.txt"}})
    assert document_numbers(history).tolist() == [0, 1]
