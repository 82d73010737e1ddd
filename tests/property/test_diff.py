"""Differences and hashes say the same about two designs."""

from __future__ import annotations

import json
from typing import Any

from dsl_fakes import fake_registry
from hypothesis import given, settings
from hypothesis import strategies as st

from designs import designs
from designsearch.dsl.design import Design
from designsearch.dsl.diff import diff
from designsearch.dsl.emit import block
from designsearch.dsl.validate import load_design

REGISTRY = fake_registry()
QUICK = settings(max_examples=150, deadline=None)


def load(text: str) -> Design:
    return load_design(text, registry=REGISTRY)


def as_block(tree: Any) -> str:
    return "".join(line + "\n" for line in block(tree, 0, "block")[1])


def turned(tree: Any) -> Any:
    """The same tree with its keys the other way round and whole numbers as floats."""
    if isinstance(tree, dict):
        return {key: turned(tree[key]) for key in reversed(tree)}
    if isinstance(tree, list):
        return [turned(entry) for entry in tree]
    return float(tree) if isinstance(tree, int) and not isinstance(tree, bool) else tree


@QUICK
@given(designs())
def test_no_difference_from_itself_however_it_is_written(tree: dict[str, Any]) -> None:
    design = load(as_block(tree))
    assert diff(design, design) == []
    for text in (json.dumps(tree), as_block(turned(tree))):
        other = load(text)
        assert diff(design, other) == []
        assert other.hash == design.hash


@QUICK
@given(designs(), designs())
def test_a_difference_exactly_where_the_hashes_differ(one: dict[str, Any], other: dict[str, Any]) -> None:
    mixed = {**one, "retrieval": other["retrieval"]}
    for a, b in ((one, other), (one, mixed), (other, mixed)):
        old, new = load(json.dumps(a)), load(json.dumps(b))
        changes = diff(old, new)
        assert (not changes) == (old.hash == new.hash)
        assert all("\n" not in str(change) for change in changes)
        assert {c.kind for c in diff(new, old)} <= {"changed", "added", "removed", "moved"}


@QUICK
@given(designs(), st.randoms(use_true_random=False))
def test_a_shuffled_cascade_only_moves(tree: dict[str, Any], random: Any) -> None:
    stages = [{"op": "dense"}, *({"op": "neighbors", "before": n} for n in range(4))]
    tail = stages[1:]
    random.shuffle(tail)
    old = load(json.dumps({**tree, "retrieval": stages}))
    new = load(json.dumps({**tree, "retrieval": [stages[0], *tail]}))
    assert {change.kind for change in diff(old, new)} <= {"moved"}
