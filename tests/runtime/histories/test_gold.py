"""Gold answers and evidence ids of every shape become uniform."""

from __future__ import annotations

import pytest

from designsearch.runtime.histories.duplicates import settle
from designsearch.runtime.histories.gold import BadGoldError, content_id, evidence_ids, typed_answer
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Evidence, Question


@pytest.mark.parametrize(
    ("raw", "declared", "expected"),
    [
        ("rye", None, ("rye", "text", ())),
        ("15", None, ("15", "text", ())),
        (15, None, (15, "number", ())),
        (2.0, None, (2.0, "number", ())),
        (0, None, (0, "number", ())),
        ("1,250", "number", (1250, "number", ())),
        ("2.5", "number", (2.5, "number", ())),
        ("3 days", "number", ("3 days", "number", ())),
        ("$12.85", "number", ("$12.85", "number", ())),
        ("1,234 km", "number", ("1,234 km", "number", ())),
        ("fifteen minutes", "number", ("fifteen minutes", "number", ())),
        ("half an hour", "number", ("half an hour", "number", ())),
        (True, None, (True, "boolean", ())),
        (False, None, (False, "boolean", ())),
        ("Yes", "boolean", (True, "boolean", ())),
        ("no", "boolean", (False, "boolean", ())),
        (15, "text", ("15", "text", ())),
        ("2024-03", "date", ("2024-03", "date", ())),
        (2024, "date", ("2024", "date", ())),
        (["rye", 2], None, (["rye", "2"], "list", ())),
        ("rye", "list", (["rye"], "list", ())),
        (["rye", "rye bread"], "text", ("rye", "text", ("rye bread",))),
    ],
)
def test_answers(raw, declared, expected):
    found = typed_answer(raw, declared)
    assert found == expected
    assert type(found[0]) is type(expected[0])


@pytest.mark.parametrize(
    ("raw", "declared", "part"),
    [
        (None, None, "empty"),
        ("", None, "empty"),
        (" \n", "text", "empty"),
        ([], None, "empty"),
        ({"a": 1}, None, "neither text"),
        ([["rye"]], None, "neither text"),
        ("many", "number", "no number"),
        ("about 5", "number", "no number"),
        ("many days", "number", "no number"),
        (True, "number", "no number"),
        ("maybe", "boolean", "neither true nor false"),
        (["rye"], "number", "is a list, not a number"),
        ("rye", "word", "unknown"),
    ],
)
def test_answers_that_cannot_be_used(raw, declared, part):
    with pytest.raises(BadGoldError, match=part):
        typed_answer(raw, declared)


@pytest.mark.parametrize("raw", [["m1", "m2"], [["m1", "m2"]], ["m1", ["m2"]], ("m1", "m2")])
def test_evidence_ids_of_any_shape_are_the_same(raw):
    assert list(evidence_ids(raw)) == ["m1", "m2"]


def test_single_evidence_ids():
    assert list(evidence_ids("m1")) == ["m1"]
    assert list(evidence_ids(1)) == ["1"]
    assert list(evidence_ids(None)) == []
    with pytest.raises(BadGoldError, match="is no record id"):
        list(evidence_ids([1.5]))


def test_ids_from_content_differ_where_the_content_does():
    assert content_id("a", 1) == content_id("a", "1")
    assert content_id("a", "b") != content_id("ab", "")
    assert len(content_id("日本", "\ud800")) == 12


def question(name, answer="rye", **fields):
    return Question(name, "Which bread?", answer, **fields)


def test_the_same_question_is_merged_with_the_evidence_of_both():
    report = LoadReport()
    one = question("a", evidence=(Evidence("m1"),))
    two = question("b", "RYE ", evidence=(Evidence("m1"), Evidence("m2")))
    questions, conflicts = settle([one, two], report)
    assert questions == [question("a", evidence=(Evidence("m1"), Evidence("m2")))]
    assert conflicts == []
    assert report.lines()[1:] == ["duplicate questions, merged: 1 (b into a)"]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (2, 2.0, True),
        ("2", 2, True),
        (["a", "b"], ["B", "a"], True),
        (True, "true", True),
        (True, 1, False),
        ("rye", "oat", False),
    ],
)
def test_which_answers_are_the_same(first, second, same):
    questions, conflicts = settle([question("a", first), question("b", second)], LoadReport())
    assert (len(questions) == 1, conflicts == []) == (same, same)


def test_asked_at_another_time_it_is_another_question():
    questions, conflicts = settle([question("a", as_of="2024-03"), question("b", "oat", as_of="2024-04")], LoadReport())
    assert (len(questions), conflicts) == (2, [])


def test_a_conflict_names_the_ids_and_ids_become_unique():
    report = LoadReport()
    questions, (conflict,) = settle(
        [question("a"), question("a", "oat"), question("a", None, answerable=False)], report
    )
    assert [q.id for q in questions] == ["a", "a~2", "a~3"]
    assert str(conflict) == "a, a~2, a~3: 'Which bread?'"
    assert report.oddities[0].count == 2


@pytest.mark.parametrize("raw", [float("nan"), float("-inf"), ["rye", float("nan")]])
@pytest.mark.parametrize("declared", [None, "text"])
def test_what_nothing_equals_is_no_gold_answer(raw, declared):
    with pytest.raises(BadGoldError, match="is not a finite number"):
        typed_answer(raw, declared)


@pytest.mark.parametrize("raw", ["nan", "inf", float("nan")])
def test_a_number_is_finite(raw):
    with pytest.raises(BadGoldError, match="is not a finite number"):
        typed_answer(raw, "number")


def test_the_same_question_under_two_types_counts_for_both():
    report = LoadReport()
    questions, conflicts = settle(
        [question("a", type="temporal"), question("b", type="multi_hop"), question("c", type="temporal")], report
    )
    assert ([q.id for q in questions], conflicts) == (["a", "b"], [])
    noted = {oddity.what: oddity.examples for oddity in report.oddities}
    assert noted["the same question under several types, all kept"] == ("a, b",)
