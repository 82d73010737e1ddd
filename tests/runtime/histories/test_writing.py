"""What is written is read back as it was."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.question_file import read_question_file
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.histories.writing import history_text, questions_text, record_row
from designsearch.runtime.records import Evidence, Question, Record

texts = st.text(st.characters(exclude_categories=["Cs"]))
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
zones = st.none() | st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
ends = (datetime(1200, 1, 1), datetime(2900, 1, 1))  # noqa: DTZ001  bounds are without a zone
clock = st.datetimes(*ends, timezones=zones).map(datetime.isoformat)
times = st.none() | st.one_of(clock, st.sampled_from(["2024", "2024-03", "2024-03-01", "2024-03-01T09:30+02:00"])).map(
    lambda text: parse_time(text).text
)
meta = st.dictionaries(
    texts, st.recursive(st.none() | st.booleans() | st.integers(-(2**60), 2**60) | texts, st.lists, max_leaves=4)
)
records = st.builds(
    Record, id=names, text=texts, time=times, known_at=times, author=texts, role=texts, session=texts, source=texts,
    section=texts, reply_to=texts, refs=st.lists(names, max_size=3).map(tuple),
    scope=st.sampled_from(["user", "agent", "shared"]), meta=meta,
)  # fmt: skip
edits = st.builds(
    lambda record, scope: Record(record.id, record.text, record.time, event="edit", scope=scope, meta=record.meta),
    records,
    st.sampled_from(["", "user", "shared"]),
)
deletions = st.builds(lambda name, time: Record(name, "", time, event="delete", scope=""), names, times)
questions = st.builds(
    Question, id=names, question=names.filter(str.strip), answer=names.filter(str.strip), type=names,
    alternatives=st.lists(names, max_size=2).map(tuple), as_of=times,
    evidence=st.lists(st.builds(Evidence, names, st.none() | names), max_size=3, unique=True).map(tuple),
)  # fmt: skip


@given(st.lists(records | edits | deletions, max_size=6))
def test_a_history_is_read_back_as_it_was(tmp_path_factory, events):
    path = tmp_path_factory.mktemp("written") / "h.jsonl"
    path.write_bytes(history_text(events).encode())
    assert load(path)[0].events == tuple(events)


@given(st.lists(questions, max_size=4, unique_by=(lambda q: q.id, lambda q: " ".join(q.question.casefold().split()))))
def test_questions_are_read_back_as_they_were(tmp_path_factory, asked):
    path = tmp_path_factory.mktemp("written") / "q.jsonl"
    path.write_bytes(questions_text((question, "") for question in asked).encode())
    assert read_question_file(path).questions == tuple(asked)


def test_answers_of_every_type_are_read_back(tmp_path):
    asked = [
        Question("a", "How many?", 4, "number"),
        Question("b", "Which?", ["tea", "rye"], "list"),
        Question("c", "Is it?", False, "boolean"),
        Question("d", "When?", "2024-03", "date"),
        Question("e", "Who?", answerable=False, type="abs"),
    ]
    path = tmp_path / "q.jsonl"
    path.write_bytes(questions_text((question, "h") for question in asked).encode())
    found = read_question_file(path).questions
    assert [(q.id, q.answer, q.answer_type, q.answerable) for q in found] == [
        (q.id, q.answer, q.answer_type, q.answerable) for q in asked
    ]
    assert {q.meta["history"] for q in found} == {"h"}


def test_what_is_empty_is_left_out():
    assert record_row(Record("a", "x")) == {"id": "a", "text": "x"}
    assert record_row(Record("a", "", event="delete", scope="")) == {"id": "a", "event": "delete"}


def test_a_picture_is_not_shown_twice(tmp_path):
    event = Record("a", "Look [image: a blue kayak]", meta={"blip_caption": "a blue kayak", "img_url": ["u"]})
    path = tmp_path / "h.jsonl"
    path.write_bytes(history_text([event]).encode())
    assert load(path)[0].events == (event,)


def test_nothing_is_written_that_utf8_or_json_lacks():
    written = history_text([Record("a", "half \ud83d pair", meta={"n": [float("nan"), 1.5], "t": ("x",)})])
    assert json.loads(written.encode()) == {
        "id": "a",
        "text": "half \ufffd pair",
        "meta": {"n": [None, 1.5], "t": ["x"]},
    }
