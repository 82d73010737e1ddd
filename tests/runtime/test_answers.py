"""The one place where answers are made."""

import pytest
from model_fakes import ScriptedModel

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.answers import answer_all
from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Context
from designsearch.runtime.services import Services

PLAIN = "version: 1\nretrieval: [{op: recent, k: 1}]\n"
CHECKED = PLAIN + "answer: {check: {rounds: 1}}\n"


def design(text=PLAIN):
    return load_design(text, "<test>", load_all())


def ask(question="Where?", **more):
    return Ask(question, Context("Ana: I live in Lisbon.", 7, ()), **more)


def test_an_answer_that_was_given_is_not_asked_for_again():
    model, services = ScriptedModel(lambda request: "Lisbon"), Services()
    asks = [ask(), ask("Who?"), ask()]
    first = answer_all(design(), ModelAnswerer(model), services, asks)
    assert answer_all(design(), ModelAnswerer(model), services, [*asks, ask(replicate=1)])[:3] == first
    assert model.batches == [2, 1]


@pytest.mark.parametrize(
    "other",
    [ask("Why?"), ask(as_of="2024"), ask(max_output_tokens=2), ask(replicate=1), Ask("Where?", Context("", 0, ()))],
)
def test_another_question_is_another_answer(other):
    model, services = ScriptedModel(lambda request: "Lisbon"), Services()
    answer_all(design(), ModelAnswerer(model), services, [ask()])
    answer_all(design(), ModelAnswerer(model), services, [other])
    assert model.batches == [1, 1]


def test_a_failure_is_asked_again():
    replies = iter([Reply(failure="timeout"), Reply(text="Lisbon")])
    answerer, services = ModelAnswerer(ScriptedModel(lambda request: next(replies))), Services()
    assert answer_all(design(), answerer, services, [ask()])[0].failure == "timeout"
    assert answer_all(design(), answerer, services, [ask()])[0].text == "Lisbon"


def test_a_design_that_checks_has_its_own_answers():
    helper = ScriptedModel(lambda request: {"supported": True, "problem": ""})
    model, services = ScriptedModel(lambda request: "Lisbon"), Services(helper=helper)
    answerer = ModelAnswerer(model)
    assert answer_all(design(), answerer, services, [ask()])[0].calls == 1
    assert answer_all(design(CHECKED), answerer, services, [ask()])[0].calls == 2
    assert helper.batches == [1]


def test_a_check_needs_a_helper():
    answerer = ModelAnswerer(ScriptedModel(lambda request: "Lisbon"))
    with pytest.raises(UserError, match=r"answer\.check needs a model for the role helper"):
        answer_all(design(CHECKED), answerer, Services(), [ask()])
