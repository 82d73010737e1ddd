from __future__ import annotations

from prompt_checks import HOSTILE, assert_harmless

from designsearch.prompts.load import prompt

PLAIN = {
    "design": "version: 1",
    "failures": '{"question": "Where?"}',
    "attempts": '{"decision": "rejected"}',
    "catalogue": "bm25: Rank units by BM25.",
    "objective": "accuracy",
    "score": "0.5000",
    "context_budget": 4000,
    "totals": [("answering", "", 3), ("retrieval", "cut", 7)],
    "helper": True,
}


def test_hostile_designs_failures_and_attempts_change_nothing():
    assert_harmless("propose/propose", PLAIN, PLAIN | dict.fromkeys(("design", "failures", "attempts"), HOSTILE))


def test_failures_are_counted_by_what_is_to_blame():
    text = prompt("propose/propose").render(**PLAIN)[-1][1]
    assert "- answering: 3\n- retrieval, cut: 7\n" in text
    assert "no model to help" not in text


def test_what_there_is_nothing_of_is_not_spoken_of():
    text = prompt("propose/propose").render(**PLAIN | {"failures": "", "attempts": "", "totals": [], "helper": False})[
        -1
    ][1]
    assert "- none\n" in text
    assert "Some of them" not in text
    assert "Earlier proposals" not in text
    assert "there is no model to help" in text
