"""Drafts that are checked against their contexts."""

import pytest
from model_fakes import ScriptedModel, failing

from designsearch.dsl.design import CheckPlan
from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.checking import checked
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Answer, Context


def ask(question="Where?", **more):
    return Ask(question, Context("Ana: I live in Lisbon.", 7, ()), **more)


def helper(verdicts, revisions=()):
    """A helper that takes its verdicts and revisions from lists, in the order of the requests."""
    verdicts, revisions = iter(verdicts), iter(revisions)

    def script(request):
        if request.purpose == "answer/revise":
            return next(revisions)
        verdict = next(verdicts)
        return verdict if isinstance(verdict, Reply) else {"supported": not verdict, "problem": verdict}

    return ScriptedModel(script)


def purposes(model):
    return [request.purpose for request in model.requests]


def test_a_supported_draft_is_kept_and_its_check_is_paid_for():
    reply = Reply(value={"supported": True, "problem": ""}, seconds=1.0, calls=2, cost=0.25)
    (answer,) = checked(helper([reply]), CheckPlan(), [ask()], [Answer("Lisbon", False, 0.5, 1, 0.5)])
    assert answer == Answer("Lisbon", False, 1.5, 3, 0.75)


def test_an_unsupported_draft_is_sent_back_with_its_problem():
    model = helper(["Porto is not named", ""], ["Answer: Lisbon"])
    (answer,) = checked(model, CheckPlan(), [ask(max_output_tokens=9, replicate=1)], [Answer("Porto", calls=1)])
    assert answer == Answer("Lisbon", calls=4)
    assert purposes(model) == ["answer/check", "answer/revise", "answer/check"]
    revision = model.requests[1]
    assert "Porto is not named" in revision.messages[-1].content
    assert revision.max_output_tokens == 9
    assert [request.replicate for request in model.requests] == [1, 1, 1]


@pytest.mark.parametrize(("rounds", "given"), [(1, 3), (2, 5), (3, 7)])
def test_rounds_are_the_times_that_a_draft_is_sent_back(rounds, given):
    model = helper(["wrong"] * 9, ["Faro", "Braga", "Evora"])
    (abstained,) = checked(model, CheckPlan(rounds=rounds), [ask()], [Answer("Porto")])
    assert len(model.requests) == given
    assert abstained == Answer("", abstained=True, calls=given)


def test_an_unsupported_answer_can_be_kept():
    plan = CheckPlan(rounds=1, unsupported="keep")
    (answer,) = checked(helper(["wrong", "wrong"], ["Faro"]), plan, [ask()], [Answer("Porto")])
    assert answer == Answer("Faro", calls=3)


def test_a_revision_may_abstain():
    plan = CheckPlan(rounds=3, unsupported="keep")
    model = helper(["wrong"], ["NO ANSWER"])
    (answer,) = checked(model, plan, [ask()], [Answer("Porto")])
    assert answer == Answer("", abstained=True, calls=2)
    assert len(model.requests) == 2


def test_a_check_that_fails_keeps_the_draft():
    (answer,) = checked(ScriptedModel(failing), CheckPlan(), [ask()], [Answer("Porto", calls=1)])
    assert answer == Answer("Porto", calls=3)


def test_a_revision_that_fails_leaves_the_draft_unsupported():
    failed = Reply(failure="truncated", calls=1)
    (answer,) = checked(helper(["wrong"], [failed]), CheckPlan(), [ask()], [Answer("Porto")])
    assert answer == Answer("", abstained=True, calls=2)
    (answer,) = checked(helper(["wrong"], [failed]), CheckPlan(unsupported="keep"), [ask()], [Answer("Porto")])
    assert answer == Answer("Porto", calls=2)


def test_abstentions_and_failures_are_not_checked():
    drafts = [Answer("", abstained=True), Answer("", failure="timeout: 5 s"), Answer("Lisbon")]
    model = helper([""])
    assert checked(model, CheckPlan(), [ask()] * 3, drafts) == [*drafts[:2], Answer("Lisbon", calls=1)]
    assert model.batches == [1]


def test_a_round_asks_for_all_drafts_together():
    model = helper(["wrong"] * 200 + [""] * 200, ["Lisbon"] * 200)
    answers = checked(model, CheckPlan(), [ask(str(n)) for n in range(200)], [Answer("Porto")] * 200)
    assert model.batches == [200, 200, 200]
    assert {answer.text for answer in answers} == {"Lisbon"}


def test_answers_by_rules_are_checked_too():
    asks = [ask("Where does Ana live?")]
    drafts = OfflineAnswerer().answer_all(asks)
    model = helper([""])
    (answer,) = checked(model, CheckPlan(), asks, drafts)
    assert answer.text == drafts[0].text == "Lisbon"
    assert answer.calls == 1
