from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime_fakes import call, memory_of, ranked, rows_of

from designsearch.runtime.operators.refine import links as module
from designsearch.runtime.services import Services


class Angles:
    """A text is an angle in degrees, or has no direction."""

    name = fingerprint = "angles"
    dimensions = 2

    def embed(self, texts):
        made = [(0.0, 0.0) if t == "" else (np.cos(np.radians(float(t))), np.sin(np.radians(float(t)))) for t in texts]
        return np.array(made, np.float32).reshape(-1, 2)


SERVICES = Services(embedder=Angles())
M = memory_of(
    ["0", "10", "20", "90", "", "85"], "storage: {views: {same: {op: window, before: 0, after: 0}}}", SERVICES
)
TWO = """
storage: {stores: {a: {units: {op: records}}, b: {units: {op: records}}}}
retrieval: [{op: recent, store: a}]
"""


def linked(*rows, m=M, **params):
    return rows_of(call("cascade", "links", ranked(*rows), None, m, **params))


@pytest.mark.parametrize(
    ("hits", "params", "expected"),
    [
        ([0], {}, [0, 1, 2]),
        ([0], {"k": 1}, [0, 1]),
        ([0], {"threshold": 0.95}, [0, 1]),
        ([1], {}, [1, 0, 2]),
        ([3, 1], {}, [3, 5, 1, 0, 2]),
        ([0, 2], {}, [0, 1, 2]),
        ([5, 0], {"top": 1}, [5, 3, 0]),
        ([5, 0], {"top": None, "threshold": 0.9}, [5, 3, 0, 1, 2]),
        ([4], {"threshold": -1}, [4]),
        ([0], {"threshold": -1, "k": 9}, [0, 1, 2, 5, 3]),
        ([0], {"view": "same"}, [0, 1, 2]),
        ([], {}, []),
    ],
)
def test_placed_right_after_the_hit_nearest_first(hits, params, expected):
    assert linked(hits, **params) == [expected]


def test_with_the_score_of_the_hit_and_questions_do_not_mix():
    made = call("cascade", "links", ranked({3: 0.9, 0: 0.2}, [], {1: 1.0}), None, M, k=1)
    assert rows_of(made) == [[3, 5, 0, 1], [], [1, 0]]
    assert made.scores.tolist() == [0.9, 0.9, 0.2, 0.2, 1.0, 1.0]


def test_links_are_of_the_same_store():
    m = memory_of(["0", "10", "20"], TWO, SERVICES)
    assert linked([3, 0], m=m) == [[3, 4, 5, 0, 1, 2]]


@given(
    hits=st.lists(st.lists(st.integers(0, 5), unique=True), max_size=4),
    k=st.integers(1, 6),
    top=st.none() | st.integers(1, 4),
    block=st.integers(1, 3),
)
def test_every_hit_stays_in_order_and_none_comes_twice(hits, k, top, block):
    before, module.BLOCK = module.BLOCK, block
    try:
        found = linked(*hits, k=k, top=top)
    finally:
        module.BLOCK = before
    assert found == linked(*hits, k=k, top=top)
    for own, row in zip(hits, found, strict=True):
        assert len(set(row)) == len(row)
        assert set(own) <= set(row)
        assert row[:1] == own[:1]
