"""Every fault of a plan is found, under the reason that it has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_makers import PRICE, TEXTS, fact, material, plan

from designsearch.search.supervision.checks.plan_checks import check_plan
from designsearch.search.supervision.plans import Citation, Contribution, Operation, Plan

FACT = PRICE.facts[0]
CITATION = FACT.citations[0]


def reasons(made: Plan) -> set[str]:
    return {fault.reason for fault in check_plan(made, material())}


def with_fact(**changes) -> Plan:
    return replace(PRICE, facts=(replace(FACT, **changes),))


def with_citation(**changes) -> Plan:
    return with_fact(citations=(replace(CITATION, **changes),))


def with_operations(*operations: Operation) -> Plan:
    return replace(PRICE, operations=operations)


def test_a_sound_plan_has_no_faults():
    assert check_plan(PRICE, material()) == []


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (replace(PRICE, intent=" "), "no intent"),
        (replace(PRICE, intent="why it cost 120 euros"), "answer in the intent"),
        (replace(PRICE, answer="quite a lot"), "answer not canonical"),
        (replace(PRICE, answer="119 eur"), "answer is not what the operations give"),
        (replace(PRICE, facts=()), "no facts"),
        (replace(PRICE, facts=(FACT, FACT)), "fact id not unique"),
        (with_fact(citations=()), "fact without citation"),
        (with_citation(record="m-9"), "record not in the bundle"),
        (with_citation(start=1, end=len(CITATION.quote) + 1), "quote not in the record"),
        (with_citation(quote="Bought a bike"), "quote not in the record"),
        (with_citation(start=3, end=3, quote=""), "quote not in the record"),
        (with_citation(start=-5, end=-1, quote="uros"), "quote not in the record"),
        (with_fact(value="121 euros"), "value not in its quotes"),
        (replace(PRICE, evidence=()), "evidence and citations differ"),
        (replace(PRICE, evidence=(*PRICE.evidence, Contribution("m-2", "x"))), "evidence and citations differ"),
        (replace(PRICE, evidence=PRICE.evidence * 2), "evidence listed twice"),
        (replace(PRICE, evidence=(Contribution("m-1", " "),)), "no contribution"),
        (with_operations(), "no operations"),
        (with_operations(Operation("lookup", ("f1",), "x", None)), "operations do not end in the answer"),
        (with_operations(Operation("lookup", ("f2",), "answer", None)), "unknown input"),
        (with_operations(Operation("lookup", ("f2",), "answer", None)), "fact not used"),
        (with_operations(Operation("lookup", ("answer",), "answer", None)), "operations form a circle"),
        (
            with_operations(Operation("lookup", ("f1",), "x", None), Operation("lookup", ("f1",), "answer", None)),
            "output not used",
        ),
        (
            with_operations(Operation("lookup", ("f1",), "answer", None), Operation("lookup", ("f1",), "answer", None)),
            "operation output not unique",
        ),
        (with_operations(Operation("sum", ("f1",), "answer", None)), "operation cannot be recomputed"),
        (with_operations(Operation("lookup", ("f1",), "answer", "80 euros")), "operation gives another value"),
    ],
)
def test_a_fault_is_found_under_its_reason(made, reason):
    assert reason in reasons(made)


def test_a_fault_says_where():
    (fault,) = check_plan(with_citation(record="m-9"), material())[:1]
    assert str(fault) == "record not in the bundle: f1: m-9"


def test_a_relative_date_stands_in_its_quote_by_the_day_of_its_record():
    made = plan([fact("f1", "m-2", TEXTS["m-2"][0], "2024-03-08", "the move")], "lookup", "2024-03-08", "date")
    assert check_plan(made, material()) == []
    wrong = plan([fact("f1", "m-2", TEXTS["m-2"][0], "2024-03-07", "the move")], "lookup", "2024-03-07", "date")
    assert reasons(wrong) == {"value not in its quotes"}


def test_the_day_of_a_record_stands_in_it():
    made = plan([fact("f1", "m-4", TEXTS["m-4"][0], "2024-04-02", "the rain")], "lookup", "2024-04-02", "date")
    assert check_plan(made, material()) == []


def test_a_plan_without_an_answer_has_none_of_these():
    sound = Plan("what the cat is called", "text", None, answerable=False)
    assert check_plan(sound, material()) == []
    assert reasons(replace(sound, answer="Momo")) == {"not answerable, yet with an answer"}
    assert reasons(replace(PRICE, answer=None, answerable=False)) == {"not answerable, yet with facts"}


@given(st.text(max_size=30), st.integers(-5, 60), st.integers(-5, 60))
def test_whatever_is_quoted_is_compared_with_the_record(quote, start, end):
    made = with_fact(citations=(Citation("m-1", start, end, quote),))
    text = TEXTS["m-1"][0]
    holds = bool(quote.strip()) and 0 <= start < end <= len(text) and text[start:end] == quote
    assert ("quote not in the record" in reasons(made)) is not holds


@pytest.mark.parametrize(("answer", "fits"), [("15 minutes", True), ("fifteen minutes", True), ("a while", False)])
def test_an_answer_must_be_one_that_a_file_of_questions_can_hold(answer, fits):
    made = Plan("how long it took", "number", answer)
    assert ("answer not canonical" not in reasons(made)) == fits
