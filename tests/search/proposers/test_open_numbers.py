from __future__ import annotations

from collections import Counter

import pytest
from llm_fakes import BASE, edit, reply, state

from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.base import Attempt, Proposal
from designsearch.search.proposers.llm_reply import Ideas
from designsearch.search.proposers.llm_revision import revise


def made(*edits, now=None):
    return revise(now or state(), Ideas.of(reply(*edits)))


def drawn(value, now=None, path="retrieval[0].k"):
    revision = made(edit("set", path, value), now=now)
    assert revision.problem == ""
    return revision.open[0]["value"]


def test_open_numbers_are_filled_and_told():
    revision = made(
        edit("insert", "retrieval[1]", "{op: dense, k: {tune: [20, 400]}}"),
        edit("insert", "retrieval[2]", "{op: rrf, kappa: {tune: [1, 100]}}"),
        edit("insert", "retrieval[0]", "{op: bm25, view: near, k: {tune: [30, 30]}}"),
        edit("set", "storage.views.near", "{op: window, before: {tune: [1, 3]}}"),
        edit("set", "context.max_units", "{tune: [20, 60]}"),
    )
    assert revision.problem == ""
    told = {one["path"]: one for one in revision.open}
    assert list(told) == [
        "retrieval[2].k", "retrieval[3].kappa", "retrieval[0].k", "storage.views.near.before", "context.max_units",
    ]  # fmt: skip
    tree = scan(revision.text).value
    assert tree["retrieval"][2]["k"] == told["retrieval[2].k"]["value"]
    assert tree["retrieval"][0]["k"] == 30
    assert all(one["low"] <= one["value"] <= one["high"] for one in told.values())
    assert all(isinstance(one["value"], int) for path, one in told.items() if not path.endswith("kappa"))
    assert revision.edits[0] == {
        "op": "insert", "path": "retrieval[1]", "value": {"op": "dense", "k": told["retrieval[2].k"]["value"]},
    }  # fmt: skip
    assert "tune" not in str(revision.edits)


def test_the_seed_and_the_ordinal_decide():
    values = {drawn("{tune: [1, 1000]}", state(seed=seed)) for seed in range(5)}
    assert len(values) >= 4
    assert drawn("{tune: [1, 1000]}", state(seed=3)) == drawn("{tune: [1, 1000]}", state(seed=3))
    assert drawn("{tune: [1, 1000]}", state(ordinal=1)) != drawn("{tune: [1, 1000]}", state(ordinal=2))


def test_a_scale_is_logarithmic_where_the_operator_says_so():
    ks = [drawn("{tune: [1, 10000]}", state(seed=seed)) for seed in range(40)]
    assert sum(k < 100 for k in ks) > 10  # half of them on a log scale, one in a hundred on a linear one
    items = [drawn("{tune: [1, 10000]}", state(seed=seed), "context.max_units") for seed in range(40)]
    assert sum(item < 100 for item in items) < 5


def test_weights_are_fractions_and_counts_are_not():
    weighted = made(edit("insert", "retrieval[1]", "{op: score, features: {bm25: {tune: [0, 1]}, cosine: 0.5}}"))
    assert weighted.problem == ""
    assert 0 < weighted.open[0]["value"] < 1
    assert isinstance(drawn("{tune: [5, 9]}", path="context.max_units"), int)
    assert isinstance(drawn("{tune: [0, 1]}", path="retrieval[0].b"), float)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("{tune: [0, 50]}", "design.yaml:4:19: retrieval[0].k: must be at least 1 and at most 100000"),
        ("{tune: [5, 200000]}", "design.yaml:4:19: retrieval[0].k: must be at least 1 and at most 100000"),
        ("{tune: [1.5, 3]}", "design.yaml:4:19: retrieval[0].k: wants a whole number"),
        ("{tune: [9, 5]}", "{tune: [9, 5]}: write {tune: [LOW, HIGH]}"),
        ("{tune: 5}", "{tune: 5}: write {tune: [LOW, HIGH]}"),
        ("{tune: [1, 2, 3]}", "{tune: [1, 2, 3]}: write {tune: [LOW, HIGH]}"),
        ("{tune: [true, 5]}", "{tune: [True, 5]}: write {tune: [LOW, HIGH]}"),
        ("{tune: [1, .inf]}", "edit 1: the value '{tune: [1, .inf]}' is not YAML: .inf is not a finite number"),
        ("{tune: [1, 1e16]}", "{tune: [1, 1e+16]}: write {tune: [LOW, HIGH]}"),
        ("{tune: [a, b]}", "{tune: ['a', 'b']}: write {tune: [LOW, HIGH]}"),
    ],
)
def test_bounds_that_cannot_be_are_told_back(value, problem):
    revision = made(edit("set", "retrieval[0].k", value))
    assert revision.problem.startswith(problem)
    assert revision.edits == (edit("set", "retrieval[0].k", value),)


def test_a_number_that_a_later_edit_takes_out_is_no_problem():
    revision = made(edit("set", "retrieval[0].k", "{tune: [5, 50]}"), edit("set", "retrieval[0].k", "77"))
    assert revision.problem == ""
    assert scan(revision.text).value["retrieval"][0]["k"] == 77


def test_numbers_are_drawn_again_while_the_design_was_tried():
    texts = [BASE.replace("k: 100", f"k: {k}") for k in range(1, 9)]
    hashes = [load_design(text, "x", load_all()).hash for text in texts]
    for seed in range(6):
        now = state(seed=seed, tried=hashes)
        revision = made(edit("set", "retrieval[0].k", "{tune: [1, 12]}"), now=now)
        if not revision.repeats:
            assert revision.open[0]["value"] > 8
    assert made(edit("set", "retrieval[0].k", "{tune: [1, 8]}"), now=state(tried=hashes)).repeats


def test_what_scored_well_is_drawn_more_often():
    def attempts():
        for i in range(40):
            k = round(20 * 50 ** (i / 39))
            text = BASE.replace("k: 100", f"k: {k}")
            score = 0.9 - abs(k - 500) / 1000
            yield Attempt(i, Proposal(text), f"h{k}", "p", "rejected", score, -0.1, "", {"bm25.k": k})

    found = Counter()
    for seed in range(12):
        now = state(seed=seed, attempts=list(attempts()), ordinal=seed)
        found[350 <= drawn("{tune: [20, 1000]}", now) <= 650] += 1
    assert found[True] >= 8
