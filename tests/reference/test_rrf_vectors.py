"""Reciprocal rank fusion against exact values."""

import json
from pathlib import Path

import pytest

from designsearch.runtime.operators.fuse.rrf import RrfParams, rrf
from designsearch.runtime.records import Rankings

CASE = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))["rrf"]


def fuse(views):
    """The fused names, best first, and their scores; ids are given in the order of the names."""
    names = sorted({name for ranked in views.values() for name in ranked})
    rankings = [
        Rankings.of([([names.index(n) for n in ranked], list(range(len(ranked), 0, -1)))]) for ranked in views.values()
    ]
    ids, scores = rrf(RrfParams(kappa=CASE["kappa"]), rankings, None).of_question(0)
    return [names[i] for i in ids], dict(zip([names[i] for i in ids], scores, strict=True))


def test_scores_and_order():
    order, scores = fuse(CASE["views"])
    assert order == CASE["order"]
    assert scores == pytest.approx(CASE["scores"], rel=1e-12)


def test_ties_break_by_id():
    order, scores = fuse(CASE["tie_case"]["views"])
    assert order == CASE["tie_case"]["order_by_id_tiebreak"]
    assert scores == pytest.approx(CASE["tie_case"]["scores"], rel=1e-12)
