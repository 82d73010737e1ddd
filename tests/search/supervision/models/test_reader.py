from __future__ import annotations

import pytest
from model_fakes import ScriptedModel, failing, quoted_in
from planned_move import MATERIAL, QUESTION, SOURCES, drafted, planned, whole_text

from designsearch.search.supervision.contracts import BlindAsk, Reading
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.reader import ModelReader
from designsearch.search.supervision.verification.blind_asks import blind_ask
from designsearch.search.supervision.verification.recovery_stage import recovered

FOUND = {"citations": [1, 2], "answerable": True, "answer": "1250 euros"}


def read(reply, answer_type="number", sources=SOURCES, as_of=None):
    reader = ModelReader(ScriptedModel(lambda request: reply))
    [reading] = reader.read([BlindAsk(QUESTION, answer_type, sources, as_of)])
    return reading, reader


@pytest.mark.parametrize("as_of", [None, "2024-05-01"])
def test_a_blind_reader_sees_question_type_and_records_in_the_order_given_and_nothing_else(as_of):
    asked = blind_ask(drafted(as_of=as_of), MATERIAL.sources, "recovery")
    model = ScriptedModel(lambda request: FOUND)
    ModelReader(model).read([asked])
    [request] = model.requests
    assert quoted_in(request, "record") == Numbered(asked.sources).texts
    assert quoted_in(request, "question") == [QUESTION]
    assert request.messages[-1].content.endswith("Type of the answer: number.")
    # take away what it may see: nothing of the plan is left
    left = whole_text(request)
    for text in (*Numbered(asked.sources).texts, QUESTION):
        assert left.count(text) == 1
        left = left.replace(text, "")
    plan = planned()
    hidden = [plan.intent, "1,250", "1250", "bridge", "f1", "f2", "Mill Lane", *MATERIAL.path]
    hidden += [fact.statement for fact in plan.facts] + [fact.about for fact in plan.facts]
    hidden += [one.quote for fact in plan.facts for one in fact.citations]
    hidden += [one.contribution for one in plan.evidence] + [source.record for source in SOURCES]
    assert not [text for text in hidden if text in left]


def test_the_order_of_the_records_is_that_of_the_ask():
    orders = set()
    for salt in "abcdefgh":
        asked = blind_ask(drafted(), MATERIAL.sources, salt)
        model = ScriptedModel(lambda request: FOUND)
        [reading] = ModelReader(model).read([asked])
        assert quoted_in(model.requests[0], "record") == Numbered(asked.sources).texts
        assert reading.citations == tuple(source.record for source in asked.sources[:2])
        orders.add(asked.sources)
    assert len(orders) > 1


def test_numbers_become_ids_and_unknown_ones_are_counted():
    reading, reader = read(FOUND | {"citations": [2, 9, 2, 0]})
    assert reading == Reading(True, "1250 euros", ("mail-17",))
    assert reader.unknown_numbers == 2


@pytest.mark.parametrize("more", [{"answerable": False}, {"answer": None}, {"answer": ""}])
def test_without_an_answer_it_is_not_answerable(more):
    reading, _ = read(FOUND | more)
    assert (reading.answerable, reading.answer) == (False, None)


@pytest.mark.parametrize(
    ("answer_type", "answer"), [("text", "Ana"), ("date", "2024-03"), ("boolean", False), ("list", ["a", "b"])]
)
def test_each_type_has_its_own_form(answer_type, answer):
    reading, _ = read(FOUND | {"answer": answer}, answer_type)
    assert reading.answer == answer
    assert reading.answerable


def test_an_empty_list_is_no_answer():
    assert read(FOUND | {"answer": []}, "list")[0].answerable is False


def test_a_failure_finds_nothing_out():
    [reading] = ModelReader(ScriptedModel(failing)).read([BlindAsk(QUESTION, "text", SOURCES)])
    assert reading == Reading(failure="invalid: no JSON in the reply")
    assert ModelReader(ScriptedModel(failing)).read([]) == []


def test_a_batch_is_one_call_and_recovers_a_draft():
    model = ScriptedModel(lambda request: FOUND | {"citations": [1, 2, 3]})
    assert recovered([drafted(), drafted()], ModelReader(model)) == [("msg-99",), ("msg-99",)]
    assert model.batches == [2]
