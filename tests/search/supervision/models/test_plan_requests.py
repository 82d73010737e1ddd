from __future__ import annotations

from collections import Counter
from dataclasses import replace

from model_fakes import quoted_in
from planned_move import MATERIAL, PLAN_REPLY, planned, whole_text

from designsearch.runtime.token_counter import BundledCounter
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.plan_requests import (
    ONE_RESPONSE,
    ONE_RESPONSE_SCHEMA,
    PLAN,
    WANTED,
    plan_request,
    question_request,
    repair_request,
)
from designsearch.search.supervision.plans import PLAN_SCHEMA

IDS = [source.record for source in MATERIAL.sources]


def test_a_planner_gets_the_records_by_number_and_how_they_are_connected():
    for name, schema in ((PLAN, PLAN_SCHEMA), (ONE_RESPONSE, ONE_RESPONSE_SCHEMA)):
        request = plan_request(name, schema, MATERIAL)
        assert quoted_in(request, "record") == Numbered(MATERIAL.sources).texts
        assert quoted_in(request, "connections") == ["\n".join(MATERIAL.path)]
        assert request.schema == schema
        assert not [one for one in IDS if one in whole_text(request)]


def test_the_wanted_operation_depends_on_the_bundle_alone():
    asked = [plan_request(PLAN, PLAN_SCHEMA, replace(MATERIAL, seed=seed)) for seed in range(300)]
    wanted = Counter(one.messages[-1].content.rpartition(": ")[2] for one in asked)
    assert {f"{one}." for one in WANTED} == set(wanted)
    assert wanted["bridge."] > wanted["sum."]
    assert asked[7] == plan_request(PLAN, PLAN_SCHEMA, replace(MATERIAL, seed=7))


def test_the_question_is_asked_for_with_plan_and_records_and_without_ids():
    request = question_request(planned(), MATERIAL)
    assert quoted_in(request, "record") == Numbered(MATERIAL.sources).texts
    [shown] = quoted_in(request, "plan")
    assert '"quotes":[[1,"signed the lease for the flat on Mill Lane"]]' in shown
    assert '"evidence":[[1,"names the street of Ana\'s flat"],[2,"gives the rent"]]' in shown
    assert '"answer":"1,250 euros"' in shown
    assert not [one for one in IDS if one in whole_text(request)]


def test_a_repair_goes_on_with_the_first_request():
    first, again = plan_request(PLAN, PLAN_SCHEMA, MATERIAL), repair_request(MATERIAL, PLAN_REPLY, "fact not used: f1")
    assert [message.role for message in again.messages] == ["system", "user"]
    assert again.messages[0] == first.messages[0]
    assert again.messages[1].content.startswith(first.messages[1].content)
    assert quoted_in(again, "problems") == ["fact not used: f1"]
    assert quoted_in(again, "plan")[0].startswith('{"intent":"What Ana')
    assert again.purpose == PLAN
    assert again.prompt != first.prompt


def test_instructions_stay_short():
    """They are paid for with every question: about as much as half of the records of a bundle."""
    counted = BundledCounter().count_all([plan_request(PLAN, PLAN_SCHEMA, MATERIAL).messages[0].content])
    assert counted[0] < 800
    counted = BundledCounter().count_all([question_request(planned(), MATERIAL).messages[0].content])
    assert counted[0] < 450
