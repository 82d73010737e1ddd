"""A small bundle with a plan for it, as a planner writes it."""

from __future__ import annotations

from designsearch.search.supervision.contracts import Draft, Material, Source
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.models.plan_replies import read_plan
from designsearch.search.supervision.plans import Plan

SOURCES = (
    Source("msg-81", 4, "I finally signed the lease for the flat on Mill Lane!", "2024-03-02", "Ana"),
    Source("mail-17", 9, "The rent for Mill Lane is 1,250 euros a month, heating included.", "2024-03-05T09:30", "Ben"),
    Source("msg-99", 12, "We had soup again for lunch.", "", "", "assistant"),
)

MATERIAL = Material(3, SOURCES, ("1 to 2: 2 shared words: mill, lane", "2 to 3: later in the same conversation"), 11)

QUESTION = "How much does Ana pay each month for her home?"

PLAN_REPLY = {
    "intent": "What Ana's new flat costs a month",
    "facts": [
        {
            "id": "f1",
            "statement": "Ana rented a flat on Mill Lane.",
            "citations": [{"record": 1, "quote": "signed the lease for the flat on Mill Lane"}],
            "value": "Mill Lane",
            "about": "Ana's flat",
        },
        {
            "id": "f2",
            "statement": "The flat on Mill Lane costs 1,250 euros a month.",
            "citations": [{"record": 2, "quote": "The rent for Mill Lane is 1,250 euros"}],
            "value": "1,250 euros",
            "about": "rent of the flat",
        },
    ],
    "evidence": [
        {"record": 1, "contribution": "names the street of Ana's flat"},
        {"record": 2, "contribution": "gives the rent"},
    ],
    "operations": [{"op": "bridge", "inputs": ["f1", "f2"], "output": "answer", "value": "1,250 euros", "how": ""}],
    "answer_type": "number",
    "answer": "1,250 euros",
}

NOTHING_REPLY = {
    "intent": "",
    "facts": [],
    "evidence": [],
    "operations": [],
    "answer_type": "text",
    "answer": None,
}


def planned() -> Plan:
    """The plan that the reply makes."""
    plan = read_plan(PLAN_REPLY, Numbered(SOURCES)).plan
    assert isinstance(plan, Plan)
    return plan


def drafted(**more) -> Draft:
    """The plan with its question."""
    return Draft(MATERIAL, planned(), QUESTION, **more)


def whole_text(request) -> str:
    """All that a request says to the model."""
    return "\n".join(message.content for message in request.messages)
