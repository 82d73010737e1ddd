from __future__ import annotations

import copy

import pytest
from planned_move import MATERIAL, NOTHING_REPLY, PLAN_REPLY, SOURCES

from designsearch.search.supervision.checks.plan_checks import check_plan
from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.plan_replies import read_plan, settled
from designsearch.search.supervision.plans import Citation, Operation, Plan

RECORDS = Numbered(SOURCES)


@pytest.fixture
def reply():
    return copy.deepcopy(PLAN_REPLY)


def test_numbers_become_ids_and_quotes_get_their_places():
    reading = read_plan(PLAN_REPLY, RECORDS)
    plan = reading.plan
    assert isinstance(plan, Plan)
    assert plan.facts[0].citations == (Citation("msg-81", 10, 52, "signed the lease for the flat on Mill Lane"),)
    assert plan.records == ("msg-81", "mail-17")
    assert plan.operations == (Operation("bridge", ("f1", "f2"), "answer", "1,250 euros"),)
    assert plan.kind == "bridge"
    assert reading.unknown == 0
    assert check_plan(plan, MATERIAL) == []


def test_a_quote_with_other_typography_gets_the_spelling_of_its_record(reply):
    reply["facts"][0]["citations"][0]["quote"] = "Signed the  lease"
    plan = read_plan(reply, RECORDS).plan
    assert plan.facts[0].citations[0].quote == "signed the lease"


def test_a_quote_of_what_no_record_says_is_a_fault(reply):
    reply["facts"][1]["citations"][0]["quote"] = "The rent is 900 euros"
    assert read_plan(reply, RECORDS).plan == Rejection(
        "check", "quote not in the record", "record 2 does not say 'The rent is 900 euros'"
    )


def test_the_line_above_a_record_cannot_be_quoted(reply):
    reply["facts"][0]["citations"][0]["quote"] = "2024-03-02, Ana"
    assert read_plan(reply, RECORDS).plan.reason == "quote not in the record"


def test_unknown_numbers_are_left_out_and_counted(reply):
    reply["facts"][0]["citations"].append({"record": 7, "quote": "anything"})
    reply["evidence"].append({"record": 0, "contribution": "nothing"})
    reading = read_plan(reply, RECORDS)
    assert reading.plan == read_plan(PLAN_REPLY, RECORDS).plan
    assert reading.unknown == 2


def test_a_fact_left_without_citation_fails_the_checks(reply):
    reply["facts"][0]["citations"] = [{"record": 7, "quote": "anything"}]
    plan = read_plan(reply, RECORDS).plan
    assert "fact without citation" in [fault.reason for fault in check_plan(plan, MATERIAL)]


def test_nothing_worth_asking_is_no_fault_of_the_model():
    assert read_plan(NOTHING_REPLY, RECORDS).plan == Rejection("plan", "nothing worth asking")


def test_empty_values_are_none(reply):
    reply["facts"][0]["value"] = ""
    reply["operations"][0]["value"] = []
    plan = read_plan(reply, RECORDS).plan
    assert plan.facts[0].value is None
    assert plan.operations[0].value is None


@pytest.mark.parametrize(
    ("answer", "kind", "form"),
    [
        ("Yes.", "boolean", True),
        ("perhaps", "boolean", "perhaps"),
        ("5 March 2024", "date", "2024-03-05"),
        ("some day", "date", "some day"),
        ("12 days", "number", "12 days"),
        (["b", "a"], "list", ["b", "a"]),
        ("Yes", "text", "Yes"),
    ],
)
def test_yes_no_and_dates_are_settled(answer, kind, form):
    assert settled(answer, kind) == form
