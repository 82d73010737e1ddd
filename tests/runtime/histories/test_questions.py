"""Questions of a file or of a data set: read, filtered, and checked against their history."""

from __future__ import annotations

from pathlib import Path

import pytest

from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.question_file import read_question_file
from designsearch.runtime.histories.questions import full_report, load_questions, missing_evidence
from designsearch.runtime.histories.where import parse_where
from designsearch.runtime.records import Evidence, Question

RECORDS = [
    {"id": "m1", "text": "I bought rye bread.", "time": "2024-03-01", "source": "conversation"},
    {"id": "m2", "text": "And oats.", "time": "2024-03-05", "source": "conversation"},
    {"id": 3, "text": "The boat is blue.", "source": "email"},
]


@pytest.fixture
def history(write):
    """A history with two sources."""
    write("h.jsonl", RECORDS)
    return load("h.jsonl")[0]


def noted(report):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in report.oddities}


def test_every_field_is_read(write):
    row = {
        "id": 5, "question": "Which bread?", "answer": "rye", "answer_type": "text", "alternatives": ["rye bread"],
        "type": "fact", "as_of": "2024-04-01T10:00", "answerable": True,
        "evidence": [{"record": "m1", "quote": "rye bread"}, {"record": 3}], "history": "h", "meta": {"k": 1},
    }  # fmt: skip
    found = read_question_file(write("q.jsonl", [row]))
    assert found.questions == (
        Question(
            "5", "Which bread?", "rye", "text", ("rye bread",), "fact", "2024-04-01T10:00", True,
            (Evidence("m1", "rye bread"), Evidence("3")), {"k": 1, "history": "h"},
        ),
    )  # fmt: skip
    assert found.report.oddities == []


@pytest.mark.parametrize("raw", [["m1", "m2"], [["m1", "m2"]], [{"record": "m1"}, ["m2"]], ["m1", "m2", "m1"]])
def test_evidence_of_any_shape(write, raw):
    (question,) = read_question_file(write("q.jsonl", [{"question": "?", "answer": "x", "evidence": raw}])).questions
    assert question.evidence == (Evidence("m1"), Evidence("m2"))


def test_ids_are_made_from_content_not_from_position(write):
    rows = [{"question": "a?", "answer": "x"}, {"question": "b?", "answer": "x"}]
    first = {q.question: q.id for q in read_question_file(write("q.jsonl", rows)).questions}
    found = read_question_file(write("q.jsonl", rows[::-1]))
    assert {q.question: q.id for q in found.questions} == first
    assert noted(found.report) == {"questions without an id, given one made from their content": (2, ())}


def test_a_question_to_abstain_from_needs_no_answer(write):
    rows = [
        {"id": "a", "question": "a?", "answerable": False},
        {"id": "b", "question": "b?", "answerable": False, "answer": "x"},
    ]
    found = read_question_file(write("q.jsonl", rows))
    assert [(q.answer, q.answerable) for q in found.questions] == [(None, False)] * 2
    assert noted(found.report) == {"gold answers of questions that are not answerable, passed over": (1, ("b",))}


def test_all_mistakes_are_reported_with_their_lines(write, golden):
    rows = [
        {"id": "a", "question": "a?"},
        {"id": "b", "question": "b?", "answer": None},
        {"id": "c", "question": "c?", "answer": ""},
        {"id": "d", "question": "d?", "answer": "many", "answer_type": "number"},
        {"id": "e", "question": "e?", "answer": "x", "answer_type": "txt"},
        {"id": "f", "question": " ", "answer": "x"},
        {"id": "g", "answer": "x"},
        {"id": "h", "question": ["h?"], "answer": "x"},
        {"id": "i", "question": "i?", "answer": "x", "as_of": "2024-02-30"},
        {"id": "j", "question": "j?", "answer": "x", "answerable": "yes"},
        {"id": "k", "question": "k?", "answer": "x", "evidence": [{"record": "m1", "qoute": "x"}]},
        {"id": "l", "question": "l?", "answer": "x", "evidence": [{"quote": "x"}]},
        {"id": "m", "question": "m?", "answer": "x", "evidence": [[], ["m1", 1.5]]},
        {"id": "n", "question": "n?", "answer": "x", "alternatives": "y"},
        {"id": "fine", "question": "fine?", "answer": "x"},
        "o?",
    ]
    with pytest.raises(InvalidFileError) as caught:
        read_question_file(write("q.jsonl", rows))
    golden("question_mistakes", str(caught.value))


def test_duplicates_are_merged_and_contradictions_refused(write, golden):
    rows = [
        {"id": "q1", "question": "Which fruit?", "answer": "figs", "evidence": [["m1", "m2"]]},
        {"id": "q2", "question": "Which fruit?", "answer": "figs", "evidence": ["m1"]},
    ]
    found = read_question_file(write("q.jsonl", rows))
    assert [(q.id, len(q.evidence)) for q in found.questions] == [("q1", 2)]
    assert noted(found.report) == {"duplicate questions, merged": (1, ("q2 into q1",))}
    with pytest.raises(UserError) as caught:
        read_question_file(write("q.jsonl", [*rows, {"id": "q3", "question": "Which fruit?", "answer": "plums"}]))
    golden("question_conflict", str(caught.value))


def test_the_same_question_about_two_histories_is_no_contradiction(write):
    rows = [{"id": n, "history": n, "question": "Which fruit?", "answer": n} for n in ("one", "two")]
    assert [q.id for q in read_question_file(write("q.jsonl", rows)).questions] == ["one", "two"]


def test_an_empty_file_is_said(write):
    assert noted(read_question_file(write("q.jsonl", "")).report) == {"the file holds no question": (1, ("q.jsonl",))}


def test_a_questions_file_goes_to_the_histories_that_it_names(write, history):
    write("other.jsonl", [{"id": "x", "text": "y"}])
    rows = [
        {"id": "a", "question": "a?", "answer": "x", "history": "h"},
        {"id": "b", "question": "b?", "answer": "x"},
        {"id": "c", "question": "c?", "answer": "x", "history": "gone"},
    ]
    mine, other = load_questions(write("q.jsonl", rows), [history, *load("other.jsonl")])
    assert [q.id for q in mine.questions] == ["a", "b"]
    assert [q.id for q in other.questions] == ["b"]
    assert noted(mine.report)["questions about other histories, left out"] == (1, ())


def test_evidence_is_checked_against_the_history(write, history):
    rows = [
        {"id": "a", "question": "a?", "answer": "x", "evidence": ["m1", 3, "m9", "m8"]},
        {"id": "b", "question": "b?", "answer": "x", "evidence": [{"record": "m1", "quote": "rye bread"}]},
        {"id": "c", "question": "c?", "answer": "x", "evidence": [{"record": "m1", "quote": "Rye bread"}]},
        {"id": "d", "question": "d?", "answer": "x", "evidence": ["m1", "m2"], "as_of": "2024-03-02"},
        {"id": "e", "question": "e?", "answerable": False},
    ]
    (found,) = load_questions(write("q.jsonl", rows), [history])
    assert missing_evidence(history.history(), found.questions) == {"a": ("m9", "m8")}
    assert noted(found.report) == {
        "evidence that the history does not hold": (2, ("a: m9, m8",)),
        "quotes that do not stand in their record": (1, ("c: m1",)),
        "evidence that is later than its question": (1, ("d: m2",)),
    }
    assert dict(found.report.counts) == {
        "questions": 5, "of type uncategorised": 5, "to abstain from": 1, "without evidence": 1,
    }  # fmt: skip
    assert full_report(history, found).lines()[0] == (
        "3 events, 5 questions, 5 of type uncategorised, 1 to abstain from, 1 without evidence"
    )


def test_a_history_without_official_questions_is_a_clear_error(history):
    with pytest.raises(UserError, match="questions: official: h brings no questions; name a file"):
        load_questions("official", [history])


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (None, {}),
        ({}, {}),
        ({"type": ["fact", "temporal"]}, {"type": ("fact", "temporal")}),
        ({"type": "fact", "answerable": True}, {"type": ("fact",), "answerable": ("true",)}),
        (["evidence=conversation"], {"evidence": ("conversation",)}),
        (["type=fact, temporal", "type=mixed"], {"type": ("fact", "temporal", "mixed")}),
    ],
)
def test_filters_are_written_in_two_ways(given, where):
    assert parse_where(given) == where


FILTERED = [
    {"id": "a", "question": "a?", "answer": "x", "type": "fact", "evidence": ["m1", "m2"]},
    {"id": "b", "question": "b?", "answer": "x", "type": "fact", "evidence": ["m1", 3]},
    {"id": "c", "question": "c?", "answer": "x", "type": "multi_hop", "evidence": [3]},
    {"id": "d", "question": "d?", "answerable": False, "type": "multi_hop"},
    {"id": "e", "question": "e?", "answer": "x", "evidence": ["m1", "m9"]},
    {"id": "f", "question": "f?", "answer": "x", "evidence": ["m1"], "meta": {"unresolved": {"?": "email"}}},
]


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ({}, "abcdef"),
        ({"type": "fact"}, "ab"),
        ({"type": ["fact", "Multi-hop"]}, "abcd"),
        ({"evidence": "conversation"}, "a"),
        ({"evidence": ["conversation", "email"]}, "abcf"),
        ({"evidence": "email", "type": "multi_hop"}, "c"),
        ({"answerable": False}, "d"),
        ({"answerable": True, "type": "multi_hop"}, "c"),
    ],
)
def test_filters_keep_what_passes_them_all(write, history, where, kept):
    (found,) = load_questions(write("q.jsonl", FILTERED), [history], where)
    assert "".join(q.id for q in found.questions) == kept
    left_out = noted(found.report).get("questions left out by `where`", (0, ()))[0]
    assert left_out == len(FILTERED) - len(kept)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("where_filter", {"typ": "fact"}),
        ("where_type", {"type": ["fact", "multihopp"]}),
        ("where_evidence", ["evidence=mail"]),
        ("where_form", ["conversation"]),
        ("where_value", ["evidence="]),
        ("where_kind", {"type": {"a": 1}}),
    ],
)
def test_a_filter_that_fits_nothing_is_a_clear_error(write, golden, history, name, where):
    path = write("q.jsonl", FILTERED)
    with pytest.raises(UserError) as caught:
        load_questions(path, [history], where)
    golden(name, str(caught.value))


def test_a_value_need_only_occur_in_one_of_the_histories(write, history):
    write("other.jsonl", [{"id": "m1", "text": "y", "source": "chat"}])
    rows = [{"id": "a", "question": "a?", "answer": "x", "evidence": ["m1"]}]
    one, two = load_questions(write("q.jsonl", rows), [history, *load("other.jsonl")], {"evidence": "chat"})
    assert ([q.id for q in one.questions], [q.id for q in two.questions]) == ([], ["a"])


def test_a_missing_file_is_a_clear_error(history):
    with pytest.raises(UserError, match=r"gone\.jsonl: there is no such file"):
        load_questions("gone.jsonl", [history])


def test_the_bundled_example_is_sound():
    examples = Path(__file__).parents[3] / "examples"
    (dataset,) = load(examples / "history.jsonl")
    (found,) = load_questions(examples / "questions.jsonl", [dataset])
    assert len(dataset.history()) > 0
    assert len(found.questions) > 0
    assert dataset.report.oddities == []
    assert missing_evidence(dataset.history(), found.questions) == {}
    assert found.report.oddities == []
