"""What the rules do about a memory policy, and in the cascade inside it."""

from __future__ import annotations

import pytest
from rule_states import BASE, failures, order, state

from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule_table import RULES
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.proposers.structure import moves
from designsearch.search.proposers.workpiece import Workpiece

POLICY = BASE.replace("{op: bm25, k: 100}", "{op: policy, search: [{op: bm25, k: 100}, {op: take, k: 10}]}")


def after(name, text=POLICY):
    """The design after a rule."""
    piece = Workpiece(text, load_all())
    next(rule for rule in RULES if rule.name == name).change(piece, Profile.of([]))
    return load_design(piece.text, "x", load_all())


@pytest.mark.parametrize(
    ("found", "first"),
    [
        (failures(kind="not_kept", lost_at="retrieval[0].extract"), "rest_after_notes"),
        (failures(kind="not_retrieved", lost_at="retrieval[0].search"), "search_more_often"),
    ],
)
def test_what_the_policy_lost_is_repaired_where_it_lost_it(found, first):
    names = order(found, POLICY)
    assert first in names[:2]


def test_what_was_not_shown_is_shown_and_more_of_it_is_no_cure():
    names = order(failures(lost_at="retrieval[0].observation_tokens"), POLICY)
    assert "show_more_at_once" in names[:3]
    assert after("show_more_at_once").retrieval[0].params.observation_tokens == 20_480


def test_its_numbers_are_changed_in_its_stage():
    assert after("rest_after_notes").retrieval[0].params.rest is True
    assert after("search_more_often").retrieval[0].params.max_steps == 16


def test_the_cascade_inside_is_what_the_other_rules_change():
    deeper = after("more_candidates").retrieval[0].params.search
    assert [stage.params.k for stage in deeper] == [300, 30]
    wider = after("add_dense").retrieval[0].params.search
    assert [stage.op for stage in wider] == ["bm25", "dense", "rrf", "take"]
    assert [stage.op for stage in after("feedback").retrieval[0].params.search] == ["prf", "bm25", "take"]


def test_a_policy_comes_and_goes():
    wrapped = after("step_by_step", BASE)
    (stage,) = wrapped.retrieval
    assert (stage.op, stage.params.rest, [one.op for one in stage.params.search]) == ("policy", True, ["bm25"])
    assert [one.op for one in after("without_policy").retrieval] == ["bm25", "take"]


def test_a_policy_beside_other_retrievers_is_one_of_them():
    text = BASE.replace(
        "  - {op: bm25, k: 100}", "  - {op: bm25}\n  - {op: policy, search: [{op: dense}]}\n  - {op: rrf}"
    )
    piece = Workpiece(text, load_all())
    assert piece.policy is None
    assert piece.cascade == ("retrieval",)
    assert [stage["op"] for stage in piece.stages] == ["bm25", "policy", "rrf"]


def test_without_failures_of_several_records_no_policy_is_proposed():
    assert "step_by_step" not in order(failures(kind="not_retrieved", lost_at=""))
    assert "step_by_step" in order(failures(kind="not_retrieved", lost_at="", several=2))


def test_weights_of_a_policy_are_not_for_a_proposer():
    proposal = RulesProposer().propose(state(POLICY, failures(kind="not_kept", lost_at="retrieval[0].extract")))
    assert "weights" not in proposal.text


def test_a_sampler_moves_stages_inside_and_the_policy_itself():
    inside = {move.what for move in moves(Workpiece(POLICY, load_all()))}
    assert {"add dense over raw", "remove take", "search once, without the policy"} <= inside
    assert "let a policy search step by step" in {move.what for move in moves(Workpiece(BASE, load_all()))}
