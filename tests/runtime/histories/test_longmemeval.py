"""LongMemEval: haystacks with their questions, and nothing of the answers in them."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load
from designsearch.runtime.histories.writing import history_text

INSTANCE = {
    "question_id": "q1",
    "question_type": "multi-session",
    "question": "How many bees do I keep?",
    "answer": 4,
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 07:00", "2023/05/22"],
    "haystack_session_ids": ["sharegpt_a_0", "answer_4be1b6b4_1", "ultrachat_7"],
    "haystack_sessions": [
        [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day"}],
        [
            {"role": "user", "content": "I bought four hives", "has_answer": True},
            {"role": "assistant", "content": "Nice", "has_answer": False},
            {"role": "user", "content": "And a veil"},
        ],
        [{"role": "user", "content": "Bye"}],
    ],
    "answer_session_ids": ["answer_4be1b6b4_1"],
}


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def test_turns_are_records_of_dated_sessions(write):
    write("lme.json", [INSTANCE])
    (dataset,) = load("lme.json")
    assert dataset.name == "q1"
    assert [(e.id, e.text, e.time, e.role, e.session, e.reply_to) for e in dataset.events] == [
        ("session-1:1", "Hello", "2023-05-20T02:21", "user", "session-1", ""),
        ("session-1:2", "Good day", "2023-05-20T02:21", "assistant", "session-1", "session-1:1"),
        ("session-2:1", "I bought four hives", "2023-05-21T07:00", "user", "session-2", ""),
        ("session-2:2", "Nice", "2023-05-21T07:00", "assistant", "session-2", "session-2:1"),
        ("session-2:3", "And a veil", "2023-05-21T07:00", "user", "session-2", ""),
        ("session-3:1", "Bye", "2023-05-22", "user", "session-3", ""),
    ]
    assert {e.source for e in dataset.events} == {"conversation"}
    assert noted(dataset) == {}


def test_the_question_rests_on_marked_turns(write):
    write("lme.json", [INSTANCE])
    (question,) = load("lme.json")[0].questions
    assert (question.id, question.answer, question.answer_type, question.type) == ("q1", 4, "number", "multi-session")
    assert question.as_of == "2023-05-30T23:40"
    assert [(e.record, e.quote) for e in question.evidence] == [("session-2:1", None)]


def test_without_marks_it_rests_on_what_the_user_said_in_its_sessions(write):
    plain = json.loads(json.dumps(INSTANCE).replace(', "has_answer": true', "").replace(', "has_answer": false', ""))
    write("lme.json", [plain])
    assert [e.record for e in load("lme.json")[0].questions[0].evidence] == ["session-2:1", "session-2:3"]


def test_a_question_about_what_is_not_there_wants_an_abstention(write):
    write("lme.jsonl", [INSTANCE | {"question_id": "q1_abs"}])
    (question,) = load("lme.jsonl")[0].questions
    assert (question.answerable, question.answer, question.evidence) == (False, None, ())


def test_nothing_of_the_answers_reaches_the_records(write):
    write("lme.json", [INSTANCE])
    written = history_text(load("lme.json")[0].events)
    assert not any(word in written for word in ("answer", "sharegpt", "ultrachat", "q1", "How many", "multi-session"))


def test_each_instance_is_a_history(write):
    write("lme.json", [INSTANCE, INSTANCE | {"question_id": "q2"}, INSTANCE, {"haystack_sessions": 3}, 7])
    datasets = load("lme.json")
    assert [d.name for d in datasets] == ["q1", "q1~2", "q2"]
    assert noted(datasets[0]) == {"instances without a haystack, left out": (2, ("line 1",))}
    assert noted(datasets[1]) == {}


def test_odd_instances_are_read_as_far_as_they_go(write):
    odd = INSTANCE | {
        "answer": None,
        "haystack_dates": ["2023/13/45 (Sat) 02:21"],
        "haystack_session_ids": None,
        "haystack_sessions": [[{"role": "user", "content": "x"}, {"content": ""}, 5], "none", []],
    }
    write("lme.json", odd)
    (dataset,) = load("lme.json")
    assert [(e.text, e.time) for e in dataset.events] == [("x", None)]
    assert dataset.questions == ()
    assert set(noted(dataset)) == {
        "times that cannot be read, taken as unknown",
        "turns without words, left out",
        "sessions that are no list of turns, left out",
        "without a date",
        "questions left out for their gold answer",
    }


@pytest.mark.parametrize("content", [[INSTANCE], INSTANCE])
def test_it_is_recognised(write, content):
    write("a.json", content)
    assert find_format(Path("a.json")).name == "longmemeval"


def test_another_file_is_refused(write):
    write("a.json", [{"question": "x"}])
    with pytest.raises(UserError, match=r"is no LongMemEval file"):
        load("a.json", format="longmemeval")


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda v: st.lists(v, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(INSTANCE)), values, max_size=6), st.binary(max_size=60))
def test_any_file_is_read_or_refused(tmp_path_factory, changes, raw):
    path = tmp_path_factory.mktemp("any") / "a.json"
    for content in (json.dumps([INSTANCE | changes]).encode(), raw):
        path.write_bytes(content)
        with suppress(UserError):
            assert all(d.name for d in load(path, format="longmemeval"))
