"""A small world with evidence, for environments of other libraries."""

from __future__ import annotations

from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.memory import Memory
from designsearch.runtime.operators import load_all
from designsearch.runtime.policies.rollout import World
from designsearch.runtime.records import Queries, Record
from designsearch.runtime.services import Services

DESIGN = "version: 1\nstorage: {units: {op: sessions}}\nretrieval: [{op: bm25, k: 2}]\n"

TALK = [
    {"text": text, "session": session, "author": "Ann", "time": f"2024-05-0{day}T10:00:00"}
    for text, session, day in [
        ("We took the kayak down the river", "a", 1),
        ("Was the kayak new", "a", 1),
        ("Tea in the garden", "b", 2),
        ("The kayak was sold to Cleo", "c", 3),
    ]
]
"""Three sessions: units 0, 1 and 2."""

QUESTIONS = ("Who has the kayak now", "Where was the tea")
GOLD = ([3], [2])


def world(*, added="", **settings):
    """Both questions over the talk, with something added to each text and question."""
    design = load_design(DESIGN, registry=load_all())
    records = [Record(id=f"r{i}", **entry | {"text": entry["text"] + added}) for i, entry in enumerate(TALK)]
    asked = Queries.of([question + added for question in QUESTIONS], [parse_time("2024-05-09").local] * len(QUESTIONS))
    m = Memory(design, fold(records, "talk"), Services())
    return World(m, asked, design.retrieval, **{"max_steps": 4} | settings)
