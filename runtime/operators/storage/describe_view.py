"""One side of a unit, such as its mood, in a few words by a model."""

from __future__ import annotations

from typing import Literal

from designsearch.dsl.operators import Params, operator, param
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.operators.storage.spans import JOIN
from designsearch.runtime.operators.storage.unit_texts import shown, written_view
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/describe"
SCHEMA = object_of(description={"type": "string"})

Aspect = Literal["mood", "topics", "people", "intent"]

TASKS: dict[Aspect, str] = {
    "mood": "Name the feelings of whoever speaks, the strongest first, such as joy, trust, fear, surprise, sadness, "
    "disgust, anger or anticipation, and what causes them.",
    "topics": "Name the subjects that it is about, from the narrowest to the widest.",
    "people": "Name the people in it and say in a few words who each is to whoever speaks.",
    "intent": "Say what whoever speaks wants, plans or asks for.",
}
"""What is asked for, by aspect. They are a closed list, so that no design, and no model that proposes designs, can put
words of its own into a prompt."""


class DescribeParams(Params):
    """Parameters of ``describe``."""

    aspect: Aspect = param("mood", about="which side of a unit is described", tune=True)
    own: bool = param(False, about="whether the unit's own text stands before it", tune=True)


@operator("describe", "view", DescribeParams, needs_model=True)
def describe(params: DescribeParams, units: Units, history: History, services: Services) -> list[str]:
    """One side of each unit in a few words; its own text where there is nothing to say or the request failed."""
    texts = shown(units, history)
    own = units.texts if params.own else [""] * len(units)
    return written_view(
        units,
        services,
        lambda u: prompted(PROMPT, SCHEMA, text=texts[u], task=TASKS[params.aspect]),
        lambda u, reply: JOIN.join(filter(None, [own[u], reply.value["description"].strip()])),
    )
