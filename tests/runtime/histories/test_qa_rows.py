"""Questions wrapped as benchmarks ship them are read as questions of our own format."""

import json

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.question_file import read_question_file


def read(tmp_path, rows):
    path = tmp_path / "questions.json"
    path.write_text(json.dumps({"qa": rows}, indent=1), encoding="utf-8")
    return read_question_file(path)


def test_an_adversarial_question_wants_an_abstention_whatever_else_it_says(tmp_path):
    found = read(
        tmp_path,
        [
            {"question": "What did Ida win?", "category": 5, "adversarial_answer": "a duck", "evidence": ["r1"]},
            {"question": "Did Ida row?", "category": 5, "answer": "No", "adversarial_answer": "Yes"},
            {"question": "Who rowed?", "category": 4, "answer": "Ida", "evidence": ["r1"]},
        ],
    )
    assert [q.answerable for q in found.questions] == [False, False, True]
    assert [q.answer for q in found.questions] == [None, None, "Ida"]
    assert "also have an answer" in "\n".join(found.report.lines())


def test_categories_by_number_by_name_unknown_and_missing(tmp_path):
    rows = [
        {"question": f"n {i}?", "answer": "x", **({} if c is None else {"category": c})}
        for i, c in enumerate([1, 2, 3, 4, "temporal", 7, None])
    ]
    types = [q.type for q in read(tmp_path, rows).questions]
    assert types == ["multi_hop", "temporal", "open_domain", "single_hop", "temporal", "uncategorised", "uncategorised"]


def test_answers_of_every_kind(tmp_path):
    rows = [{"question": f"n {i}?", "answer": a} for i, a in enumerate([15, 2.0, True, ["rye", "oats"]])]
    found = read(tmp_path, rows).questions
    assert [q.answer_type for q in found] == ["number", "number", "boolean", "list"]


@pytest.mark.parametrize("nothing", [None, ""])
def test_an_empty_answer_names_its_question(tmp_path, nothing):
    with pytest.raises(UserError, match="q7"):
        read(tmp_path, [{"id": "q7", "question": "n?", "answer": nothing, "category": 2}])


def test_conflicting_answers_are_refused_and_equal_ones_merged(tmp_path):
    same = {"question": "Which fruit?", "answer": "figs", "evidence": [["r1", "r2"]]}
    assert len(read(tmp_path, [same, {**same, "evidence": "r1"}]).questions) == 1
    with pytest.raises(UserError, match="different gold answers"):
        read(tmp_path, [same, {**same, "answer": "plums"}])
