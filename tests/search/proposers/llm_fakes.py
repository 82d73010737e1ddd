"""States, edits and a small registry for tests of the proposer that asks a model."""

from __future__ import annotations

from designsearch.dsl.operators import Registry
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.contracts import Failure, GoldRecord
from designsearch.search.proposers.base import ProposalState

BASE = """\
version: 1   # stays
retrieval:
  # by words
  - {op: bm25, k: 100}   # not deep
context:
  order: relevance
"""


def failure(number=0, **more):
    given = {
        "question_id": f"q{number}", "history": "ann", "question": f"Where was Ann on day {number}?",
        "gold": "Lisbon", "category": "retrieval", "kind": "cut", "lost_at": "context", "rank": 81,
        "evidence": (
            GoldRecord(f"r{number}", f"I was in Lisbon, day {number}.", "user", kind="cut", lost_at="context", rank=81),
        ),
        "answer": "Porto", "context_tokens": 3990,
    }  # fmt: skip
    return Failure(**{**given, **more})


def state(text=BASE, failures=(), attempts=(), tried=(), registry=None, **more):
    registry = registry or load_all()
    design = load_design(text, "/a/folder/of/mine/base.yaml", registry)
    given = {"score": 0.25, "seed": 7, "ordinal": len(attempts), "objective": "accuracy", "context_budget": 4000}
    return ProposalState(
        text=text, design=design, failures=list(failures), attempts=tuple(attempts),
        tried=frozenset({design.hash, *tried}), registry=registry, **{**given, **more},
    )  # fmt: skip


def small_registry(*names):
    """A registry of a few operators, so that what is written about them stays short."""
    made = Registry()
    for op in load_all():
        if op.name in (*names, "records", "bm25", "append") and op.slot != "features":
            made.add(op)
    return made


def edit(op, path, value=None, to=None):
    return {"op": op, "path": path, "value": value, "to": to}


def reply(*edits, rationale="The evidence ranks low.", expected="more of it is shown"):
    return {"rationale": rationale, "expected": expected, "edits": list(edits)}
