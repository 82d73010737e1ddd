from __future__ import annotations

import copy
from dataclasses import replace

import pytest
from model_fakes import ScriptedModel, failing
from planned_move import MATERIAL, NOTHING_REPLY, PLAN_REPLY, QUESTION, planned

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.search.supervision.checks.checks import PROGRAM_CHECKS
from designsearch.search.supervision.contracts import Draft, Rejection
from designsearch.search.supervision.models.one_response import PlanOneResponseGenerator
from designsearch.search.supervision.models.planner import PlanGenerator

PLAN, QUESTION_PROMPT = "supervise/plan", "supervise/question"
MATERIALS = [replace(MATERIAL, ordinal=ordinal, seed=ordinal) for ordinal in range(4)]


def wrong_sum():
    reply = copy.deepcopy(PLAN_REPLY)
    reply["answer"] = "1,300 euros"
    return reply


def misquoted():
    reply = copy.deepcopy(PLAN_REPLY)
    reply["facts"][0]["citations"][0] = {"record": 1, "quote": "I never signed"}
    return reply


class Script:
    """Gives plans in turn, then questions."""

    def __init__(self, *plans, question=QUESTION):
        self.plans = list(plans)
        self.question = question

    def __call__(self, request):
        if request.purpose == QUESTION_PROMPT:
            return self.question if callable(self.question) else {"question": self.question}
        made = self.plans.pop(0)
        return made(request) if callable(made) else made


def generator(model, **more):
    return PlanGenerator(model, PROGRAM_CHECKS, **more)


def test_each_step_is_one_call_and_only_plans_that_pass_get_a_question():
    model = ScriptedModel(Script(wrong_sum(), PLAN_REPLY, NOTHING_REPLY, misquoted()))
    made = generator(model).draft(MATERIALS)
    assert model.batches == [4, 1]
    assert [request.purpose for request in model.requests] == [PLAN] * 4 + [QUESTION_PROMPT]
    assert made[0].stage == "check"
    assert made[0].reason == "answer is not what the operations give"
    assert made[1] == Draft(MATERIALS[1], planned(), QUESTION)
    assert made[2] == Rejection("plan", "nothing worth asking")
    assert (made[3].stage, made[3].reason, made[3].failed) == ("check", "quote not in the record", False)


def test_a_question_that_gives_itself_away_is_lost():
    model = ScriptedModel(Script(PLAN_REPLY, question="Does Ana pay 1,250 euros a month?"))
    [lost] = generator(model).draft([MATERIAL])
    assert (lost.stage, lost.reason) == ("question", "answer in the question")


def test_a_failure_finds_nothing_out():
    [lost] = generator(ScriptedModel(Script(failing))).draft([MATERIAL])
    assert lost == Rejection("plan", "no usable reply", "invalid: no JSON in the reply", failed=True)
    model = ScriptedModel(lambda r: failing(r) if r.purpose == QUESTION_PROMPT else PLAN_REPLY)
    [lost] = generator(model).draft([MATERIAL])
    assert (lost.stage, lost.failed) == ("question", True)


def test_nothing_is_asked_for_nothing():
    model = ScriptedModel(Script())
    assert generator(model).draft([]) == []
    assert model.batches == []


def test_unknown_numbers_are_counted():
    reply = copy.deepcopy(PLAN_REPLY)
    reply["evidence"].append({"record": 9, "contribution": "nothing"})
    made = generator(ScriptedModel(Script(reply, reply)))
    assert all(isinstance(one, Draft) for one in made.draft(MATERIALS[:2]))
    assert made.unknown_numbers == 2


def test_a_plan_may_be_sent_back_with_its_faults():
    model = ScriptedModel(Script(wrong_sum(), PLAN_REPLY, misquoted(), NOTHING_REPLY, PLAN_REPLY, failing))
    made = generator(model, repairs=1).draft(MATERIALS)
    # the first round asks for all four plans, the second for the two with faults
    assert model.batches == [4, 2, 2]
    assert isinstance(made[0], Draft)
    assert isinstance(made[1], Draft)
    assert made[2].failed
    assert made[3].reason == "nothing worth asking"
    repair = model.requests[4].messages[-1].content
    assert "1,300 euros, not 1,250 euros" in repair


def test_what_drafts_depend_on_stands_in_the_fingerprint():
    one, two = ScriptedModel(Script()), ScriptedModel(Script(), fingerprint="other")
    prints = {generator(one).fingerprint, generator(two).fingerprint, generator(one, repairs=1).fingerprint}
    assert len(prints) == 3
    assert generator(one).fingerprint == generator(one).fingerprint
    assert "supervise/plan@1-" in generator(one).fingerprint
    assert "supervise/question@1-" in generator(one).fingerprint


def test_an_exhausted_budget_is_raised():
    def script(request):
        raise OutOfBudgetError("usd is reached")

    with pytest.raises(OutOfBudgetError):
        generator(ScriptedModel(script)).draft([MATERIAL])


def test_in_one_response_both_are_checked():
    replies = [
        PLAN_REPLY | {"question": QUESTION},
        wrong_sum() | {"question": QUESTION},
        PLAN_REPLY | {"question": "What does the above message say of the rent?"},
        NOTHING_REPLY | {"question": ""},
    ]
    model = ScriptedModel(Script(*replies))
    made = PlanOneResponseGenerator(model, PROGRAM_CHECKS).draft(MATERIALS)
    assert model.batches == [4]
    assert made[0] == Draft(MATERIALS[0], planned(), QUESTION)
    assert [(one.stage, one.reason) for one in made[1:]] == [
        ("check", "answer is not what the operations give"),
        ("question", "question does not stand alone"),
        ("plan", "nothing worth asking"),
    ]
    [lost] = PlanOneResponseGenerator(ScriptedModel(failing), PROGRAM_CHECKS).draft([MATERIAL])
    assert (lost.stage, lost.failed) == ("plan", True)
