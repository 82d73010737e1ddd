"""What multi_query, hyde and decompose share, on each of them."""

import numpy as np
import pytest
from model_fakes import ScriptedModel, failing
from runtime_fakes import ask, call, design_of, history_of, memory_of

from designsearch.runtime.memory import Memory
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.pipeline import run_cascade
from designsearch.runtime.records import Queries, Query
from designsearch.runtime.services import Services

OPERATORS = {"multi_query": ("n", "question"), "hyde": ("n", "passage"), "decompose": ("most", "question")}


def with_model(script):
    model = ScriptedModel(script)
    return model, memory_of(["kayak"], services=Services(helper=model))


def texts(*given):
    return lambda request: {"texts": list(given)}


@pytest.mark.parametrize("op", OPERATORS)
def test_new_queries_stand_behind_the_question_in_one_call(op):
    count, kind = OPERATORS[op]
    model, m = with_model(texts("one", "two"))
    made = call("cascade", op, ask("Kayak?", "Tea?"), m, weight=0.5, **{count: 2})
    added = (Query(kind, "one", 0.5), Query(kind, "two", 0.5))
    assert made.queries == ((Query("question", "Kayak?"), *added), (Query("question", "Tea?"), *added))
    assert model.batches == [2]
    assert [request.purpose for request in model.requests] == [f"memory/{op}"] * 2


@pytest.mark.parametrize("op", OPERATORS)
def test_the_schema_gives_the_count(op):
    count, _ = OPERATORS[op]
    model, m = with_model(failing)
    call("cascade", op, ask("Kayak?"), m, **{count: 4})
    wanted = model.requests[0].schema["properties"]["texts"]
    assert (wanted["minItems"], wanted["maxItems"]) == ((1, 4) if op == "decompose" else (4, 4))
    assert "4" in model.requests[0].messages[0].content.replace(".", " ").split()


@pytest.mark.parametrize("op", OPERATORS)
def test_a_failure_costs_only_its_own_question(op):
    count, kind = OPERATORS[op]
    _, m = with_model(lambda r: Reply(failure="invalid") if "Kayak?" in r.messages[1].content else {"texts": ["x"]})
    made = call("cascade", op, ask("Kayak?", "Tea?"), m, **{count: 1})
    assert made.queries == ((Query("question", "Kayak?"),), (Query("question", "Tea?"), Query(kind, "x")))


@pytest.mark.parametrize("op", OPERATORS)
def test_empty_and_repeated_texts_are_left_out(op):
    count, kind = OPERATORS[op]
    _, m = with_model(texts("  ", "a  b", "A B ", "\n", " c "))
    made = call("cascade", op, ask("Kayak?"), m, **{count: 5})
    assert made.queries[0][1:] == (Query(kind, "a  b"), Query(kind, "c"))


@pytest.mark.parametrize("op", OPERATORS)
def test_a_text_that_is_the_question_is_a_repetition_only_among_questions(op):
    count, kind = OPERATORS[op]
    _, m = with_model(texts("kayak?"))
    made = call("cascade", op, ask("Kayak?"), m, **{count: 1})
    assert len(made.queries[0]) == (2 if kind == "passage" else 1)


@pytest.mark.parametrize("op", OPERATORS)
def test_earlier_queries_stay(op):
    count, kind = OPERATORS[op]
    _, m = with_model(texts("new"))
    own = (Query("question", "Kayak?"), Query("keywords", "boat", 0.3, (("boat", 1.0),)))
    asked = Queries(("Kayak?",), ask("").as_of, (own,))
    assert call("cascade", op, asked, m, **{count: 1}).queries == ((*own, Query(kind, "new")),)


@pytest.mark.parametrize("op", OPERATORS)
def test_an_empty_question_is_not_asked_about(op):
    model, m = with_model(failing)
    asked = ask("", " \n")
    assert call("cascade", op, asked, m).queries == asked.queries
    assert model.requests == []


@pytest.mark.parametrize("op", OPERATORS)
def test_the_day_of_asking_goes_into_the_prompt(op):
    model, m = with_model(failing)
    call("cascade", op, ask("Kayak?", "Tea?", as_of=["2024-05-01T10:00", None]), m)
    dated, undated = (request.messages[1].content for request in model.requests)
    assert "2024-05-01" in dated
    assert "asked on" not in undated


@pytest.mark.parametrize("op", OPERATORS)
def test_when_asks_only_about_the_questions_that_pass(op):
    _, kind = OPERATORS[op]
    count = {"n": 1, "most": 1}[OPERATORS[op][0]]
    design = f"retrieval: [{{op: {op}, {OPERATORS[op][0]}: {count}, when: question.has_date}}, {{op: dense}}]"
    model = ScriptedModel(texts("x"))
    m = Memory(design_of(design), history_of(["kayak"]), Services(helper=model))
    run = run_cascade(m, m.design.retrieval, ask("Kayak?", "Tea on 3 May 2023?"))
    assert model.batches == [1]
    plain, dated = run.steps[0].queries.queries
    assert plain == (Query("question", "Kayak?"),)
    assert dated == (Query("question", "Tea on 3 May 2023?"), Query(kind, "x"))


def test_the_same_questions_give_the_same_requests():
    model, m = with_model(texts("x", "y", "z"))
    first = call("cascade", "multi_query", ask("Kayak?"), m)
    again = call("cascade", "multi_query", ask("Kayak?"), m)
    assert first.queries == again.queries
    assert model.requests[0] == model.requests[1]
    assert np.array_equal(first.as_of, again.as_of)
