from __future__ import annotations

import pytest

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.structure import RRF, moves, usable
from designsearch.search.proposers.workpiece import Workpiece

HYBRID = """\
version: 1
storage:
  views: {near: {op: window}}
retrieval:
  - {op: prf, feedback: [{op: bm25, k: 20}]}
  - {op: bm25, k: 100}
  - {op: dense, view: near, k: 100}
  - {op: rrf, weights: [1, 2]}   # words count half
  - {op: take, k: 60}
"""

STORES = """\
version: 1
storage:
  stores:
    a: {units: {op: turns}}
    b: {units: {op: sessions}}
retrieval:
  - {op: bm25, store: b}
"""


def piece(text):
    return Workpiece(text, load_all())


def ops(made):
    return [stage["op"] for stage in made.stages]


def valid(made):
    return load_design(made.text, "x", load_all())


def test_a_retriever_joins_the_fusion_that_is_there():
    made = piece(HYBRID)
    made.add_retriever({"op": "dense"}, RRF)
    assert ops(made) == ["prf", "bm25", "dense", "dense", "rrf", "take"]
    assert "{op: rrf}   # words count half" in made.text  # two weights fit no three rankings
    valid(made)


def test_a_first_second_retriever_brings_a_fusion():
    made = piece("version: 1\nretrieval:\n  - {op: bm25}\n  - {op: take, k: 5}\n")
    made.add_retriever({"op": "dense"}, RRF)
    assert ops(made) == ["bm25", "dense", "rrf", "take"]
    assert [edit.to_json() for edit in made.edits] == [
        {"op": "insert", "path": "retrieval[1]", "value": {"op": "dense"}},
        {"op": "insert", "path": "retrieval[2]", "value": {"op": "rrf"}},
    ]
    valid(made)


def test_a_retriever_among_several_stores_names_the_one_searched_before():
    made = piece(STORES)
    made.add_retriever({"op": "dense"}, RRF)
    assert made.stages[1] == {"op": "dense", "store": "b"}
    valid(made)


def test_a_removed_retriever_takes_the_fusion_with_it():
    made = piece(HYBRID)
    made.remove_stage(2)
    made.drop_unused_views()
    assert ops(made) == ["prf", "bm25", "take"]
    assert not made.views
    valid(made)


@pytest.mark.parametrize(
    "around", ["{}", "{{op: branch, branches: {{one: [{}], two: [{{op: bm25}}]}}, fuse: {{op: rrf}}}}"]
)
def test_views_stay_that_the_weights_of_a_policy_may_read(around):
    policy = "{op: policy, policy: learned, weights: w.json, search: [{op: bm25, view: near}]}"
    made = piece(f"version: 1\nstorage:\n  views: {{near: {{op: window}}}}\nretrieval:\n  - {around.format(policy)}\n")
    made.drop_unused_views()
    made.set(("storage", "views", "far"), {"op": "window", "before": 5})
    made.drop_unused_views()
    assert list(made.views) == ["near", "far"]


def test_a_fusion_stays_while_two_rankings_are_left():
    made = piece(HYBRID)
    made.add_retriever({"op": "dense"}, RRF)
    made.remove_stage(1)
    assert ops(made) == ["prf", "dense", "dense", "rrf", "take"]
    valid(made)


def test_a_view_like_one_that_is_there_is_not_added_again():
    made = piece(HYBRID)
    assert made.add_view("window", {"op": "window"}) == "near"
    assert made.add_view("near", {"op": "window", "before": 3}) == "near2"
    assert made.views["near2"] == {"op": "window", "before": 3}
    valid(made)


def test_a_view_goes_to_the_first_of_several_stores():
    made = piece(STORES)
    made.add_view("near", {"op": "window"})
    assert made.tree["storage"]["stores"]["a"]["views"] == {"near": {"op": "window"}}


def test_a_refinement_stands_before_the_take_that_ends():
    made = piece(HYBRID)
    made.add_refine({"op": "dedupe"})
    assert ops(made)[-2:] == ["dedupe", "take"]


def test_a_cascade_without_a_retriever_can_take_none():
    with pytest.raises(UserError, match="no retriever"):
        piece("version: 1\nretrieval: [{op: take, k: 3}]\n").add_retriever({"op": "dense"}, RRF)


def test_sections_are_parts_of_the_context():
    text = "version: 1\nretrieval: [{op: bm25}]\ncontext:\n  sections: [{share: 0.5}, {share: 0.5, fill: stop}]\n"
    made = piece(text)
    assert made.layout(made.sections[1]) == {"share": 0.5, "fill": "stop"}
    assert piece(HYBRID).layout(piece(HYBRID).sections[0]) == {}


def test_what_needs_a_model_or_more_than_defaults_is_not_used():
    made = piece(HYBRID)
    assert {"bm25", "dense"} <= {op.name for op in usable(made, "retrieve")}
    assert "score" not in {op.name for op in usable(made, "refine")}  # it needs features
    found = {op.name: op for kind in ("units", "view", "query", "refine") for op in usable(made, kind)}
    assert all(op.works_alone for op in found.values())
    assert "events" in found, "rules write its views"
    assert not {"facts", "notes", "rerank", "hyde"} & set(found)


@pytest.mark.parametrize("text", [HYBRID, STORES, "version: 1\nretrieval: [{op: bm25}]\n"])
def test_most_moves_give_a_valid_other_design(text):
    start = valid(piece(text)).hash
    kinds, bad = set(), []
    every = list(moves(piece(text)))
    for move in every:
        made = piece(text)
        try:
            move.change(made)
            design = valid(made)
        except UserError:
            bad.append(move.what)
            continue
        assert design.hash != start, move.what
        kinds.add(move.kind)
    assert {"add retriever", "add view", "swap stage", "units", "context", "add stage"} <= kinds
    assert len(bad) < len(every) / 4, bad
