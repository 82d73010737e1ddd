"""Operations are recomputed by the table of the plans' docstring."""

from __future__ import annotations

import pytest
from plan_makers import TEXTS, fact, material, plan

from designsearch.search.supervision.checks.plan_recompute import recompute
from designsearch.search.supervision.plans import Contribution, Operation, Plan

BOUGHT = fact("f1", "m-1", TEXTS["m-1"][0], "120 euros", "the purchase")
SOLD = fact("f2", "m-3", TEXTS["m-3"][0], "90 euros", "the sale")
RAIN = fact("f3", "m-4", TEXTS["m-4"][0], "2024-04-02", "the rain")
MOVE = fact("f4", "m-2", TEXTS["m-2"][0], "yesterday", "the move")


def listed(name: str, *items: str):
    return fact(name, "m-1", "Bought", list(items), name)


@pytest.mark.parametrize(
    ("facts", "op", "how", "value"),
    [
        ([BOUGHT], "lookup", "", "120 euros"),
        ([MOVE, BOUGHT], "bridge", "", "120 euros"),
        ([BOUGHT, SOLD], "sum", "", "210 eur"),
        ([BOUGHT, SOLD], "difference", "", "30 eur"),
        ([RAIN, MOVE], "difference", "", "25 days"),
        ([BOUGHT, SOLD], "count", "", 2),
        ([listed("f1", "tea", "soap", "Tea")], "count", "", 2),
        ([BOUGHT, SOLD], "compare", "most", "the purchase"),
        ([BOUGHT, SOLD], "compare", "least", "the sale"),
        ([RAIN, MOVE], "compare", "first", "the move"),
        ([RAIN, MOVE], "compare", "last", "the rain"),
        ([RAIN, MOVE], "sort", "first", ["the move", "the rain"]),
        ([BOUGHT, SOLD], "sort", "most", ["the purchase", "the sale"]),
        ([listed("f1", "tea", "soap"), listed("f2", "Soap", "rope")], "intersect", "", ["soap"]),
    ],
)
def test_a_value_is_recomputed(facts, op, how, value):
    result, faults = recompute(plan(facts, op, value, how=how), material())
    assert faults == []
    assert result == value


@pytest.mark.parametrize(
    ("facts", "op", "how", "says"),
    [
        ([BOUGHT, SOLD], "lookup", "", "2 inputs, needs 1"),
        ([fact("f1", "m-1", "Bought")], "lookup", "", "f1 has no value"),
        ([RAIN, BOUGHT], "bridge", "", "f1 shares no word"),
        ([BOUGHT, RAIN], "sum", "", "f3 is no number"),
        ([BOUGHT, fact("f2", "m-3", "Sold", "90 km", "x")], "sum", "", "units differ"),
        ([BOUGHT, SOLD], "compare", "", "nothing says which one wins"),
        ([BOUGHT, fact("f2", "m-3", "Sold", "90 euros")], "compare", "most", "nothing says what f2 is about"),
        ([BOUGHT, fact("f2", "m-3", "Sold", "120 euros", "x")], "compare", "most", "cannot be told apart"),
        ([RAIN, fact("f2", "m-3", "Sold", "2024-04", "x")], "compare", "first", "cannot be told apart"),
        ([RAIN, fact("f2", "m-3", "Sold", "April 2024", "x")], "difference", "", "f2 is no single day"),
        ([RAIN, fact("f2", "m-3", "Sold", "some day", "x")], "difference", "", "f2 is no date"),
        ([BOUGHT, fact("f2", "m-1", TEXTS["m-1"][0], "120 euros", "the purchase")], "count", "", "f2 is counted twice"),
        ([listed("f1", "tea"), listed("f2", "rope")], "intersect", "", "nothing is common"),
    ],
)
def test_what_cannot_be_recomputed_says_why(facts, op, how, says):
    _, faults = recompute(plan(facts, op, None, how=how), material())
    assert [fault.reason for fault in faults] == ["operation cannot be recomputed"]
    assert says in faults[0].detail


def test_an_input_taken_twice_is_refused():
    made = Plan("x", "number", 2, (BOUGHT,), (Contribution("m-1", "x"),), (Operation("count", ("f1", "f1"), "answer"),))
    _, faults = recompute(made, material())
    assert "taken twice" in faults[0].detail


def test_a_filter_keeps_values_of_its_inputs_in_their_order():
    facts = [fact("f1", "m-1", "Bought", "tea"), fact("f2", "m-3", "Sold", "rope"), fact("f3", "m-4", "It", "soap")]
    assert recompute(plan(facts, "filter", ["tea", "soap"]), material()) == (["tea", "soap"], [])
    _, faults = recompute(plan(facts, "filter", ["soap", "tea"]), material())
    assert "in their order" in faults[0].detail
    _, faults = recompute(plan(facts, "filter", ["bread"]), material())
    assert faults


def test_outputs_of_operations_go_into_others_whatever_their_order():
    other = fact("f3", "m-4", TEXTS["m-4"][0], "200 euros", "the rain")
    both = Operation("sum", ("f1", "f2"), "both")
    answer = Operation("difference", ("both", "f3"), "answer", "10 eur")
    made = Plan("x", "number", "10 eur", (BOUGHT, SOLD, other), (), (both, answer))
    assert recompute(made, material()) == ("10 eur", [])


def test_another_value_than_the_plan_says_is_a_fault():
    _, faults = recompute(plan([RAIN, MOVE], "difference", "24 days"), material())
    assert [str(fault) for fault in faults] == ["operation gives another value: answer: 24 days, not 25 days"]
