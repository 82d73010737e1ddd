"""What is counted on the way."""

from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.funnel import CHECKED, Funnel, counted
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import End


def lost(stage, reason="no", failed=False):
    return Item("train", 0, "rejected", lost=Rejection(stage, reason, failed=failed))


LINES = [
    lost("plan", "no usable reply", failed=True),
    *[lost("check", "quote not found")] * 3,
    lost("question"),
    *[lost("audit")] * 2,
    lost("recovery"),
    lost("selection"),
    Item("train", 9, "kept"),
    Item("train", 10, "spare"),
    Item("train", 11, "spare"),
    End("train", "used up", (10,)),
]


def test_each_step_counts_what_came_as_far():
    funnel = counted(Funnel(20), LINES)
    assert funnel.steps() == {
        "bundles": 12,
        "plans": 11,
        "plans that pass": 8,
        "questions": 7,
        "audited": 5,
        "recovered blindly": 4,
        "all evidence needed": 4,
        "one answer": 4,
        "good": 3,
        "kept": 2,
    }
    document = funnel.document()
    assert document["rejected"][:2] == [
        {"stage": "plan", "reason": "no usable reply", "count": 1},
        {"stage": "check", "reason": "quote not found", "count": 3},
    ]
    assert document["failed"] == 1


def test_steps_that_are_switched_off_are_left_out():
    steps = counted(Funnel(20, CHECKED), LINES[:5]).steps()
    assert list(steps) == ["bundles", "plans", "plans that pass", "questions", "good", "kept"]
