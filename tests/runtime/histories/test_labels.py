"""Nothing that a data set says of its answers reaches the records."""

from __future__ import annotations

import json

import pytest

from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.labels import without_labels
from designsearch.runtime.histories.writing import history_text
from designsearch.runtime.records import Evidence, Question, Record


def test_labels_go_at_any_depth_and_are_counted():
    meta = {"has_answer": True, "img_url": "u", "turn": {"Evidence": ["D1:1"], "kept": [{"side_note": "x", "y": 1}]}}
    (event,) = without_labels(Dataset("h", (Record("a", "x", meta=meta),))).events
    assert event.meta == {"img_url": "u", "turn": {"kept": [{"y": 1}]}}


def test_telling_sessions_are_renamed_with_all_that_refers_to_them():
    events = (
        Record("sharegpt_1:0", "x", session="sharegpt_1"),
        Record("answer_7:0", "y", session="answer_7", meta={"from": "answer_7", "also": ["sharegpt_1", "z"]}),
        Record("answer_7:1", "z", session="answer_7", reply_to="answer_7:0", refs=("sharegpt_1:0", "answer_9:4")),
        Record("answer_7:1", "w", event="edit"),
    )
    question = Question("q", "Where?", "z", evidence=(Evidence("answer_7:1", "z"), Evidence("gone")))
    found = without_labels(Dataset("h", events, (question,)))
    assert [(e.id, e.session, e.reply_to, e.refs) for e in found.events] == [
        ("record-1", "session-1", "", ()),
        ("record-2", "session-2", "", ()),
        ("record-3", "session-2", "record-2", ("record-1",)),
        ("record-3", "", "", ()),
    ]
    assert found.questions[0].evidence == (Evidence("record-3", "z"), Evidence("gone"))
    assert found.events[1].meta == {"also": ["z"]}
    assert "answer_" not in history_text(found.events)
    assert [o.count for o in found.report.oddities] == [2]


@pytest.mark.parametrize("name", ["answer_1", "Answer_x", "q7:answer_4be1b6b4_2", "gpt4_answer_4be1b6b4"])
def test_names_that_tell(name):
    (event,) = without_labels(Dataset("h", (Record("a", "x", session=name),))).events
    assert event.session == "session-1"
    (event,) = without_labels(Dataset("h", (Record(name, "x"),))).events
    assert event.id == "record-1"


def test_other_names_stay():
    events = (Record("a1", "my answer_key", session="talk", meta={"labels": ["inbox"]}),)
    assert without_labels(Dataset("h", events)).events == events
    assert json.loads(history_text(events))["meta"] == {"labels": ["inbox"]}
