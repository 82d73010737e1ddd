"""What a planner is asked: a plan, a plan with its question, the question of a plan, or a plan that corrects another.

No request sets a limit of its own on the reply: a plan of three facts takes about 500 tokens and one of six about 900,
within the 1,024 that a model writes unless its settings say otherwise; a model that thinks first needs more, and only
its settings know.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from designsearch.prompts.load import prompt
from designsearch.runtime.models.prompted import messages_of, object_of, prompted
from designsearch.runtime.models.requests import Message, Request
from designsearch.search.supervision.contracts import Material
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.plans import PLAN_SCHEMA, Plan

PLAN, REPAIR, QUESTION = "supervise/plan", "supervise/plan_repair", "supervise/question"
ONE_RESPONSE = "supervise/plan_and_question"

QUESTION_SCHEMA = object_of(question={"type": "string"})
ONE_RESPONSE_SCHEMA = object_of(**PLAN_SCHEMA["properties"], question={"type": "string"})

WANTED = ("bridge", "lookup", "compare", "bridge", "difference", "count", "bridge", "intersect", "sum", "sort")
"""The operations that planners are pointed to, each as often as it stands here; left alone, models hardly plan any
other than the first two."""


def plan_request(name: str, schema: dict[str, Any], material: Material) -> Request:
    """The request for a plan.

    Args:
        name: the prompt, :data:`PLAN` or :data:`ONE_RESPONSE`.
        schema: of the reply.
        material: the bundle; its own chance says which operation is preferred.
    """
    records = Numbered(material.sources)
    wanted = WANTED[int(np.random.default_rng(material.seed).integers(len(WANTED)))]
    return prompted(name, schema, records=records.texts, connections="\n".join(material.path), wanted=wanted)


def repair_request(material: Material, proposed: Mapping[str, Any], problems: str) -> Request:
    """The request for a plan that corrects another.

    Args:
        material: the bundle.
        proposed: the reply with the plan.
        problems: what is wrong with it.
    """
    first = plan_request(PLAN, PLAN_SCHEMA, material)
    [repair] = messages_of(REPAIR, plan=_compact(proposed), problems=problems)
    *before, last = first.messages
    # one message of the user's, as some models take no two in a row
    messages = (*before, Message("user", f"{last.content}\n\n{repair.content}"))
    return replace(first, prompt=f"{first.prompt}+{prompt(REPAIR).identity}", messages=messages)


def question_request(plan: Plan, material: Material) -> Request:
    """The request for a question that asks what a plan says."""
    records = Numbered(material.sources)
    return prompted(QUESTION, QUESTION_SCHEMA, plan=plan_text(plan, records), records=records.texts)


def plan_text(plan: Plan, records: Numbered) -> str:
    """A plan as a prompt shows it: compact JSON, records by number, quotes without their places."""
    shown = {
        "intent": plan.intent,
        "facts": [
            {
                "id": fact.id,
                "statement": fact.statement,
                "quotes": [[records.number(one.record), one.quote] for one in fact.citations],
                **({"value": fact.value} if fact.value is not None else {}),
            }
            for fact in plan.facts
        ],
        "evidence": [[records.number(one.record), one.contribution] for one in plan.evidence],
        "operations": [
            {"op": one.op, "inputs": one.inputs, "output": one.output, "value": one.value, "how": one.how}
            for one in plan.operations
        ],
        "answer_type": plan.answer_type,
        "answer": plan.answer,
    }
    return _compact(shown)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
