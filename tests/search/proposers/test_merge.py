from __future__ import annotations

from dataclasses import replace

import pytest

from designsearch.dsl.edit import Edit
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.base import Attempt, Proposal, ProposalState
from designsearch.search.proposers.merge import merges
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.proposers.workpiece import Workpiece

BASE = "version: 1\nretrieval:\n  - {op: bm25, k: 100}\n  - {op: take, k: 60}\n"

K = Edit("set", ("retrieval", 0, "k"), 300)
ORDER = Edit("set", ("context", "order"), "chronological")
ADD = Edit("insert", ("retrieval", 0), {"op": "prf", "feedback": [{"op": "bm25"}]})
LAST = Edit("insert", ("retrieval", 2), {"op": "dedupe"})


def attempt(number, gain, *edits, decision="indecisive", parent=None):
    proposal = Proposal("", tuple(edit.to_json() for edit in edits), f"idea {number}", proposer="sampler")
    return Attempt(number, proposal, f"h{number}", parent or DESIGN.hash, decision, 0.5, gain)


DESIGN = load_design(BASE, "x", load_all())


def state(*attempts):
    return ProposalState(
        text=BASE, design=DESIGN, score=0.6, failures=[], attempts=attempts, tried=frozenset({DESIGN.hash}),
        registry=load_all(), seed=0, ordinal=len(attempts), objective="evidence_coverage", context_budget=4000,
    )  # fmt: skip


def test_two_that_gained_are_made_together():
    found = merges(state(attempt(3, 0.04, K), attempt(5, 0.02, ORDER)))
    assert [merge.name for merge in found] == ["merge 0+1"]
    assert found[0].expected == pytest.approx(0.06 / 0.4)
    piece = Workpiece(BASE, load_all())
    found[0].change(piece)
    assert piece.stages[0] == {"op": "bm25", "k": 300}
    assert piece.tree["context"] == {"order": "chronological"}


def test_an_interrupted_trial_changes_no_order():
    gains = (0.02, 0.02, 0.04)
    edits = (K, ORDER, LAST)
    whole = [attempt(number, gain, edit) for number, gain, edit in zip((8, 9, 14), gains, edits, strict=True)]
    broken = [attempt(number, gain, edit) for number, gain, edit in zip((8, 10, 15), gains, edits, strict=True)]
    assert [merge.name for merge in merges(state(*whole))] == [merge.name for merge in merges(state(*broken))]


def test_one_that_moves_stages_comes_last():
    merge = merges(state(attempt(1, 0.05, ADD), attempt(2, 0.02, K)))[0]
    piece = Workpiece(BASE, load_all())
    merge.change(piece)
    assert [stage.get("k") for stage in piece.stages] == [None, 300, 60]


@pytest.mark.parametrize(
    "other",
    [
        attempt(2, 0.02, Edit("set", ("retrieval", 0), {"op": "dense"})),  # the same stage
        attempt(2, 0.02, K),  # the same setting
        attempt(2, -0.02, ORDER),  # no gain
        attempt(2, 0.0, ORDER),
        attempt(2, 0.02, ORDER, decision="accepted"),
        attempt(2, 0.02, ORDER, parent="another"),
        attempt(2, 0.02, ORDER, decision="rejected").as_told(confirmed=True),  # lost its confirmation
    ],
)
def test_what_does_not_fit_or_did_not_gain_is_not_merged(other):
    assert merges(state(attempt(1, 0.05, K), other)) == []


def test_two_that_move_stages_are_not_merged():
    assert merges(state(attempt(1, 0.05, ADD), attempt(2, 0.02, LAST))) == []


def test_all_that_fit_are_tried_at_once_first():
    attempts = (attempt(1, 0.02, K), attempt(2, 0.02, ORDER), attempt(3, 0.02, LAST))
    proposal = RulesProposer().propose(state(*attempts))
    assert proposal.params["rule"] == "merge 0+1+2"
    assert proposal.rationale == (
        "together, as each did a little good but not surely: idea 1 (+0.0200), idea 2 (+0.0200), idea 3 (+0.0200)"
    )
    assert [edit["op"] for edit in proposal.edits] == ["set", "set", "insert"]


def test_what_was_merged_is_named_by_what_it_did():
    by_rules = replace(attempt(7, 0.02, K).proposal, proposer="rules", rationale="search by meaning: 20% were missed")
    long = replace(attempt(8, 0.02, ORDER).proposal, rationale="word " * 40)
    found = [replace(attempt(7, 0.02, K), proposal=by_rules), replace(attempt(8, 0.02, ORDER), proposal=long)]
    rationale = RulesProposer().propose(state(*found)).rationale
    assert rationale.endswith(f": search by meaning (+0.0200), {('word ' * 40)[:59]}… (+0.0200)")
