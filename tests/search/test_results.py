import json
import math

import pytest

from designsearch.runtime.records import ContextUnit
from designsearch.search.results import EvidenceResult, Key, QuestionResult, finite

FULL = QuestionResult(
    design="bm25",
    question_id="q1",
    history="u1",
    question="Where?",
    type="fact",
    context="by the lake",
    context_tokens=3,
    units=(ContextUnit(4, "main", ("m1", "m2"), 1, 2.5),),
    evidence=(EvidenceResult("m1", present=True), EvidenceResult("m9", present=False, lost_at="retrieval[1]", rank=70)),
    evidence_recall=0.5,
    answer_recall=1.0,
    answer="by the lake",
    correct=True,
    metrics={"f1": 0.5, "bleu1": None},
    diagnosis="retrieval",
    seconds=0.25,
    calls=1,
    cost=0.001,
)


def test_the_line_of_a_results_file():
    assert json.loads(json.dumps(FULL.to_json(), allow_nan=False)) == {
        "design": "bm25",
        "question_id": "q1",
        "history": "u1",
        "question": "Where?",
        "type": "fact",
        "context": "by the lake",
        "context_tokens": 3,
        "units": [{"id": 4, "store": "main", "records": ["m1", "m2"], "rank": 1, "score": 2.5}],
        "evidence": [
            {"record": "m1", "present": True},
            {"record": "m9", "present": False, "lost_at": "retrieval[1]", "rank": 70},
        ],
        "evidence_recall": 0.5,
        "answer_recall": 1.0,
        "answer": "by the lake",
        "abstained": False,
        "correct": True,
        "metrics": {"f1": 0.5, "bleu1": None},
        "diagnosis": "retrieval",
        "seconds": 0.25,
        "calls": 1,
        "cost": 0.001,
        "error": "",
        "replicate": 0,
    }


def test_a_line_is_read_back():
    assert QuestionResult.from_json(json.loads(json.dumps(FULL.to_json()))) == FULL


def test_a_short_line_and_unknown_keys_are_read():
    line = {"design": "d", "question_id": "q", "history": "h", "question": "?", "correct": None, "later": 1}
    assert QuestionResult.from_json(line) == QuestionResult("d", "q", "h", "?")


def test_a_line_without_its_question_is_refused():
    with pytest.raises(KeyError, match="question_id"):
        QuestionResult.from_json({"design": "d", "history": "h", "question": "?"})


def test_nan_is_written_as_null():
    bad = QuestionResult(
        "d", "q", "h", "?",
        units=(ContextUnit(1, "main", ("m",), 1, math.nan),),
        evidence_recall=math.nan, answer_recall=math.inf, metrics={"f1": math.nan}, cost=math.nan,
    )  # fmt: skip
    line = json.loads(json.dumps(bad.to_json(), allow_nan=False))
    assert line["units"][0]["score"] is None
    assert [line["evidence_recall"], line["answer_recall"], line["metrics"]["f1"], line["cost"]] == [None] * 4
    assert QuestionResult.from_json(line).cost == 0.0


def test_values_by_name():
    assert {m: FULL.value(m) for m in ("accuracy", "evidence_coverage", "evidence_recall", "f1", "bleu1", "em")} == {
        "accuracy": 1.0,
        "evidence_coverage": 0.0,
        "evidence_recall": 0.5,
        "f1": 0.5,
        "bleu1": None,
        "em": None,
    }


@pytest.mark.parametrize(
    ("metric", "more", "applies"),
    [
        ("evidence_recall", {}, False),
        ("evidence_recall", {"evidence_recall": 0.0}, True),
        ("evidence_recall", {"error": "judge: no reply", "context": "text"}, False),
        ("evidence_coverage", {"error": "retrieval failed"}, True),
        ("answer_recall", {}, False),
        ("accuracy", {}, True),
        ("f1", {}, False),
        ("f1", {"metrics": {"f1": None}}, True),
        ("f1", {"error": "no answer"}, True),
    ],
)
def test_what_applies(metric, more, applies):
    assert QuestionResult("d", "q", "h", "?", **more).applies(metric) is applies


def test_keys_tell_histories_apart():
    assert FULL.key == Key("u1", "q1")
    assert str(FULL.key) == "u1/q1"


@pytest.mark.parametrize(("value", "kept"), [(1.0, 1.0), (0, 0), (None, None), (math.nan, None), (-math.inf, None)])
def test_finite(value, kept):
    assert finite(value) == kept


def test_verdicts_stand_in_the_line_only_where_a_judge_was_asked():
    judged = QuestionResult("d", "q", "h", "?", verdicts=(True, None))
    assert judged.to_json()["verdicts"] == [True, None]
    assert QuestionResult.from_json(json.loads(json.dumps(judged.to_json()))) == judged


@pytest.mark.parametrize("error", ["answerer: timeout", "judge: invalid"])
def test_an_answer_that_failed_leaves_the_measures_of_the_context_as_they_are(error):
    without_evidence = QuestionResult("d", "q", "h", "?", error=error, metrics={"f1": None})
    assert not without_evidence.applies("evidence_coverage")
    assert not without_evidence.applies("other")
    assert without_evidence.applies("accuracy")
    assert without_evidence.applies("f1")
    assert QuestionResult("d", "q", "h", "?", error="the search failed").applies("evidence_coverage")
