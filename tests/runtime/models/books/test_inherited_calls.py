"""Replies that a store takes over from another."""

from __future__ import annotations

import numpy as np

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.inherited_calls import InheritedCalls
from designsearch.runtime.models.requests import Reply


def test_only_what_is_asked_for_is_taken_over():
    before = CallStore(None)
    for name in ("a", "b", "c"):
        before.keep(name, "helper", "memory/facts", Reply(text=name))
    before.keep_vectors({"v": np.ones(2, np.float32), "w": np.zeros(2, np.float32)})
    calls = InheritedCalls(before)
    calls.keep("own", "helper", "memory/facts", Reply(text="own"))
    found = calls.find(["own", "a", "b", "unknown"])
    assert {key: reply.text for key, reply in found.items()} == {"own": "own", "a": "a", "b": "b"}
    assert all(reply.cached for reply in found.values())
    assert calls.find_vectors(["v", "unknown"])["v"].tolist() == [1, 1]
    calls.part()
    before.close()
    assert set(calls.find(["own", "a", "b", "c"])) == {"own", "a", "b"}
    assert set(calls.find_vectors(["v", "w"])) == {"v"}


def test_what_the_other_spent_is_not_taken_over():
    before = CallStore(None)
    before.keep("a", "helper", "memory/facts", Reply(text="a", calls=1, cost=2.0))
    calls = InheritedCalls(before)
    assert calls.find(["a"])["a"].cost == 2.0
    assert calls.spent().calls == 0
