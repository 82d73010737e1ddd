import pytest
from model_fakes import ScriptedModel, failing
from pydantic import ValidationError
from runtime_fakes import ask, call, design_of, history_of, memory_of, ranked, rows_of

from designsearch.dsl.problems import InvalidFileError
from designsearch.runtime.compile import compile_design
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators.refine.rerank import RerankParams
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.services import Services

TEXTS = ["zero 5", "one 9", "two 5", "three 1", "four 7"]


def told(request):
    """The grade that each candidate's text ends in."""
    lines = request.messages[1].content.split("\n")
    found = [int(line.split()[-1]) for line in lines if line.split(" ")[0] in {t.split()[0] for t in TEXTS}]
    return {"grades": [{"n": n + 1, "grade": grade} for n, grade in enumerate(found)]}


def reranked(rankings, script=told, questions=("Which?",), **params):
    model = ScriptedModel(script)
    m = memory_of(TEXTS, services=Services(helper=model))
    made = call("cascade", "rerank", rankings, ask(*questions), m, **params)
    return made, model


def test_by_grade_with_ties_in_the_incoming_order():
    made, _ = reranked(ranked([3, 2, 1, 0, 4]))
    assert made.ids.tolist() == [1, 4, 2, 0, 3]
    assert made.scores.tolist() == [0.9, 0.7, 0.5, 0.5, 0.1]


def test_all_batches_of_all_questions_are_asked_in_one_call():
    made, model = reranked(ranked([0, 1, 2, 3, 4], [4, 3], []), questions=("A?", "B?", "C?"), batch=2)
    assert model.batches == [4]
    sizes = [request.schema["properties"]["grades"]["minItems"] for request in model.requests]
    assert sizes == [2, 2, 1, 2]
    assert rows_of(made) == [[1, 4, 0, 2, 3], [4, 3], []]


def test_only_the_first_k_are_read_and_the_others_stay_behind():
    made, model = reranked(ranked([3, 2, 1, 4, 0]), k=3)
    assert made.ids.tolist() == [1, 2, 3, 4, 0]
    assert made.scores.tolist() == [0.9, 0.5, 0.1, 0.1, 0.1]
    assert "four" not in model.requests[0].messages[1].content


def test_a_batch_that_failed_keeps_its_places():
    def script(request):
        return Reply(failure="timeout") if "three" in request.messages[1].content else told(request)

    made, _ = reranked(ranked([0, 3, 2, 4, 1]), script, batch=2)
    # 0 and 3 were read together and failed: they keep the first two places
    assert made.ids.tolist() == [0, 3, 1, 4, 2]
    assert made.scores.tolist() == [1.0, 1.0, 0.9, 0.7, 0.5]


def test_a_candidate_without_grade_keeps_its_place_behind_the_one_before():
    made, _ = reranked(
        ranked([3, 2, 1]), lambda r: {"grades": [{"n": n, "grade": g} for n, g in [(1, 2), (3, 8), (3, 1)]]}
    )
    assert made.ids.tolist() == [1, 2, 3]
    assert made.scores.tolist() == [0.8, 0.8, 0.2]


def test_unknown_numbers_are_ignored():
    made, _ = reranked(ranked([3, 2]), lambda r: {"grades": [{"n": 0, "grade": 9}, {"n": 2, "grade": 3}]})
    assert made.ids.tolist() == [3, 2]
    assert made.scores.tolist() == [1.0, 0.3]


def test_a_model_that_fails_changes_no_order():
    made, model = reranked(ranked([3, 2, 1, 0, 4], [2, 0]), failing, ("A?", "B?"))
    assert rows_of(made) == [[3, 2, 1, 0, 4], [2, 0]]
    assert made.scores.tolist() == [1.0] * 7
    assert len(model.requests) == 2


def test_an_empty_question_and_an_empty_ranking_are_not_asked_about():
    made, model = reranked(ranked([1, 0], []), questions=(" ", "Which?"))
    assert rows_of(made) == [[1, 0], []]
    assert model.requests == []


def test_when_reads_only_for_the_questions_that_pass():
    design = """
storage: {units: {op: records}}
retrieval: [{op: recent}, {op: rerank, when: question.has_date}]
"""
    model = ScriptedModel(told)
    m = Memory(design_of(design), history_of(TEXTS), Services(helper=model))
    run = run_cascade(m, m.design.retrieval, ask("Which?", "Which on 3 May 2023?"))
    assert model.batches == [1]
    assert rows_of(run.ranking) == [[4, 3, 2, 1, 0], [1, 4, 2, 0, 3]]


def test_its_scores_have_a_scale():
    text = "retrieval: [{op: bm25}, {op: rerank}, {op: min_score, value: 0.6}]"
    model = ScriptedModel(told)
    m = Memory(design_of(text), history_of(TEXTS), Services(helper=model))
    run = run_cascade(m, m.design.retrieval, ask("Which of one, two, three, four?"))
    assert run.ranking.ids.tolist() == [1, 4]


def test_it_reads_the_view_that_it_is_told():
    m = memory_of(
        TEXTS,
        "storage: {units: {op: records}, views: {beside: {op: window, before: 1, after: 0}}}",
        Services(helper=ScriptedModel(failing)),
        session="s",
    )
    call("cascade", "rerank", ranked([1]), ask("Which?"), m, view="beside")
    assert "zero 5\none 9" in m.services.helper.requests[0].messages[1].content


def test_a_cross_encoder_needs_no_helper_and_the_helper_no_cross_encoder():
    assert RerankParams().calls_model()
    assert not RerankParams(by="cross_encoder", model="org/name").calls_model()
    with pytest.raises(ValidationError, match=r"add model: NAME or model: \./FOLDER"):
        RerankParams(by="cross_encoder")
    with pytest.raises(ValidationError, match="add by: cross_encoder, or leave model out"):
        RerankParams(model="org/name")


def test_a_study_without_a_helper_is_told_so():
    with pytest.raises(InvalidFileError, match=r"retrieval\[1\]: rerank needs a model for the role helper"):
        compile_design(design_of("retrieval: [{op: recent}, {op: rerank}]"))
    compile_design(design_of("retrieval: [{op: recent}, {op: rerank, by: cross_encoder, model: org/name}]"))


def test_it_says_what_is_wrong_in_a_design():
    with pytest.raises(InvalidFileError, match=r"retrieval\[1\]: by: cross_encoder needs the cross-encoder's name"):
        design_of("retrieval: [{op: recent}, {op: rerank, by: cross_encoder}]")
