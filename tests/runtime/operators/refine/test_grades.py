import numpy as np
from model_fakes import ScriptedModel, failing
from runtime_fakes import ask, memory_of

from designsearch.runtime.operators.refine.candidate_texts import Candidate
from designsearch.runtime.operators.refine.grades import grades
from designsearch.runtime.services import Services

OWN = [Candidate(0, "a"), Candidate(0, "b"), Candidate(0, "c"), Candidate(2, "d")]


def given(script, batch=10):
    model = ScriptedModel(script)
    queries = ask("A?", "B?", "C?", as_of=[None, None, "2024-05-01"])
    return grades(OWN, batch, queries, memory_of([], services=Services(helper=model))), model


def test_each_candidate_gets_the_grade_of_its_number():
    made, model = given(
        lambda r: (
            {"grades": [{"n": 1, "grade": 10}, {"n": 2, "grade": 0}, {"n": 3, "grade": 4}]}
            if "A?" in r.messages[1].content
            else {"grades": [{"n": 1, "grade": 7}]}
        )
    )
    assert made.tolist() == [1.0, 0.0, 0.4, 0.7]
    assert model.batches == [2]


def test_a_request_is_about_one_question_and_says_when_it_is_asked():
    _, model = given(failing, batch=2)
    texts = [request.messages[1].content for request in model.requests]
    assert [[c.text for c in OWN if f"\n{c.text}\n" in text] for text in texts] == [["a", "b"], ["c"], ["d"]]
    assert ["2024-05-01" in text for text in texts] == [False, False, True]
    assert {request.purpose for request in model.requests} == {"memory/rerank"}


def test_a_failed_batch_has_no_grades():
    assert np.isnan(given(failing)[0]).all()


def test_nothing_to_grade_asks_nothing():
    model = ScriptedModel(failing)
    assert len(grades([], 10, ask("A?"), memory_of([], services=Services(helper=model)))) == 0
    assert model.batches == []
