from __future__ import annotations

from dataclasses import replace

from model_fakes import ScriptedModel, failing, quoted_in
from planned_move import MATERIAL, QUESTION, drafted, whole_text

from designsearch.search.supervision.contracts import Audit, Draft
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.reviewer import ModelReviewer
from designsearch.search.supervision.plans import Plan
from designsearch.search.supervision.verification.audit_stage import audited

GOOD = {
    "reason": "",
    "answer_supported": True,
    "question_matches": True,
    "facts": [{"id": "f1", "supported": True}, {"id": "f2", "supported": True}],
    "evidence": [{"record": 1, "contributes": True}, {"record": 2, "contributes": True}],
}


def audit(reply, draft=None):
    reviewer = ModelReviewer(ScriptedModel(lambda request: reply))
    [found] = reviewer.audit([draft or drafted()])
    return found, reviewer


def test_a_reviewer_sees_records_plan_and_question_and_no_ids():
    model = ScriptedModel(lambda request: GOOD)
    assert len(ModelReviewer(model).audit([drafted(as_of="2024-05-01"), drafted()])) == 2
    assert model.batches == [2]
    request = model.requests[0]
    assert quoted_in(request, "record") == Numbered(MATERIAL.sources).texts
    assert quoted_in(request, "question") == [QUESTION]
    [plan] = quoted_in(request, "plan")
    for text in ("Ana rented a flat on Mill Lane.", "gives the rent", "1,250 euros", "bridge"):
        assert text in plan
    assert "asked on 2024-05-01" in request.messages[-1].content
    assert "asked on" not in model.requests[1].messages[-1].content
    assert not [source for source in MATERIAL.sources if source.record in whole_text(request)]


def test_verdicts_are_those_of_the_draft():
    found, _ = audit(GOOD)
    assert found == Audit(True, True, {"f1": True, "f2": True}, {"msg-81": True, "mail-17": True})
    assert audited([drafted()], ModelReviewer(ScriptedModel(lambda request: GOOD))) == [None]


def test_what_is_not_said_has_not_passed_and_the_worse_verdict_counts():
    facts = [{"id": "f1", "supported": True}, {"id": "f1", "supported": False}, {"id": "f9", "supported": True}]
    evidence = [{"record": 2, "contributes": True}, {"record": 3, "contributes": True}]
    found, reviewer = audit(GOOD | {"facts": facts, "evidence": [*evidence, {"record": 8, "contributes": True}]})
    assert found.facts == {"f1": False, "f2": False}
    assert found.evidence == {"msg-81": False, "mail-17": True}
    assert reviewer.unknown_numbers == 3


def test_a_failure_finds_nothing_out():
    [found] = ModelReviewer(ScriptedModel(failing)).audit([drafted()])
    assert found == Audit(failure="invalid: no JSON in the reply")
    assert ModelReviewer(ScriptedModel(failing)).audit([]) == []


def test_a_question_without_an_answer_is_told_as_one():
    plan = Plan("Which floor it is on", "text", None, kind="unanswerable", answerable=False)
    model = ScriptedModel(lambda request: GOOD | {"facts": [], "evidence": []})
    [found] = ModelReviewer(model).audit([Draft(MATERIAL, plan, "On which floor is it?")])
    assert found.question_matches
    assert (found.facts, found.evidence) == ({}, {})
    assert "This plan has no answer" in whole_text(model.requests[0])


def test_the_fingerprint_is_of_model_and_prompt():
    prints = [ModelReviewer(ScriptedModel(failing, fingerprint=name)).fingerprint for name in "ab"]
    assert prints[0] != prints[1]
    assert "supervise/audit@1-" in prints[0]


def test_an_audit_does_not_depend_on_the_seed():
    model = ScriptedModel(lambda request: GOOD)
    other = replace(drafted(), material=replace(MATERIAL, seed=99))
    ModelReviewer(model).audit([drafted(), other])
    assert model.requests[0] == model.requests[1]
