from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.dsl.needs import model_needs
from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.catalogue import parameters
from designsearch.search.proposers.base import Attempt, ProposalState
from designsearch.search.proposers.sampler import SamplerProposer
from designsearch.search.proposers.structure import moves
from designsearch.search.proposers.workpiece import Workpiece
from designsearch.search.study_choices import SamplerOptions

BASE = """\
version: 1   # stays
retrieval:
  - {op: bm25, k: 100}
  - {op: dense, k: 100}
  - {op: rrf}
"""


def state(text=BASE, seed=0, attempts=(), tried=()):
    design = load_design(text, "design.yaml", load_all())
    return ProposalState(
        text=text,
        design=design,
        score=0.3,
        failures=[],
        attempts=tuple(attempts),
        tried=frozenset({design.hash, *tried}),
        registry=load_all(),
        seed=seed,
        ordinal=len(attempts),
        objective="evidence_coverage",
        context_budget=4000,
    )


def search(now, rounds, value, options=None):
    """Attempts of some rounds in which everything is rejected."""
    attempts = []
    for number in range(rounds):
        tried = [attempt.design_hash for attempt in attempts]
        proposal = SamplerProposer(options).propose(
            replace(now, attempts=tuple(attempts), tried=now.tried | set(tried), ordinal=number)
        )
        if proposal is None:
            break
        design = load_design(proposal.text, "design.yaml", load_all())
        settings_ = {k: p.value for k, p in parameters(scan(proposal.text).value, load_all()).items()}
        attempts.append(
            Attempt(number, proposal, design.hash, now.design.hash, "rejected", value(settings_), -0.1, "", settings_)
        )
    return attempts


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_proposals_are_valid_new_and_decided_by_the_seed(seed):
    now = state(seed=seed)
    first, again = SamplerProposer().propose(now), SamplerProposer().propose(now)
    assert first == again
    assert load_design(first.text, "x", load_all()).hash not in now.tried
    assert first.text.startswith("version: 1   # stays\n")
    assert first.edits


def test_nothing_is_proposed_twice():
    attempts = search(state(), 60, lambda _: 0.2)
    hashes = [attempt.design_hash for attempt in attempts]
    assert len(hashes) == len(set(hashes)) == 60


def test_only_parameters_change_where_structure_is_0_and_only_structure_where_it_is_1():
    kinds = {a.proposal.params["kind"] for a in search(state(), 15, lambda _: 0.2, SamplerOptions(structure=0))}
    assert kinds == {"parameters"}
    kinds = {a.proposal.params["kind"] for a in search(state(), 25, lambda _: 0.2, SamplerOptions(structure=1))}
    assert "parameters" not in kinds
    assert {"add stage", "remove stage", "swap stage", "units"} <= kinds


def test_a_proposal_changes_no_more_parameters_than_allowed():
    for attempt in search(state(), 20, lambda _: 0.2, SamplerOptions(structure=0, most=1)):
        assert len(attempt.proposal.edits) == 1


def test_tpe_goes_where_scores_are_high():
    """k1 near 2.2 is best: after some trials TPE draws there more often than chance does."""

    def value(settings_):
        return 1 - abs(settings_["bm25.k1"] - 2.2)

    only = "version: 1\nretrieval: [{op: bm25, k: 100}]\n"

    def near(sampler):
        attempts = search(state(only), 60, value, SamplerOptions(sampler=sampler, structure=0, most=1))
        drawn = [a.parameters["bm25.k1"] for a in attempts[20:] if a.parameters["bm25.k1"] != 1.5]
        return sum(abs(k1 - 2.2) < 0.3 for k1 in drawn) / len(drawn)

    assert near("tpe") > near("random")


def test_a_design_without_settings_changes_its_structure():
    assert SamplerProposer(SamplerOptions(structure=0)).propose(state()).params["kind"] == "parameters"


def test_rationales_name_what_changes():
    attempts = search(state(), 10, lambda _: 0.2, SamplerOptions(structure=0, most=1))
    for attempt in attempts:
        assert attempt.proposal.rationale.startswith("tpe: ")
        assert " -> " in attempt.proposal.rationale


@pytest.mark.parametrize("op", ["bm25", "dense"])
def test_multi_store_designs_stay_valid(op):
    text = (
        "version: 1\nstorage:\n  stores:\n    a: {units: {op: turns}}\n    b: {units: {op: sessions}}\n"
        f"retrieval:\n  - {{op: {op}, store: a}}\n"
    )
    attempts = search(state(text), 15, lambda _: 0.2)
    assert len(attempts) == 15


def test_units_that_rules_find_texts_for_are_proposed_without_a_helper():
    piece = Workpiece(BASE, load_all())
    found = {move.what: move for move in moves(piece)}
    assert "units events" in found
    found["units events, and bm25 over summary, anchors, phrase"].change(piece)
    design = load_design(piece.text, "x", load_all())
    assert model_needs(design) == []
    assert {"summary", "anchors", "phrase"} <= {getattr(stage.params, "view", None) for stage in design.retrieval}
    once_more = {move.what for move in moves(piece)}
    assert "add dense over anchors" in once_more
    assert "add bm25 over anchors" not in once_more


def test_texts_that_units_bring_are_searched_in_the_store_that_has_them():
    text = (
        "version: 1\nstorage:\n  stores:\n    one: {units: {op: events}}\n    two: {units: {op: records}}\n"
        "retrieval:\n  - {op: bm25, store: two}\n"
    )
    piece = Workpiece(text, load_all())
    next(move for move in moves(piece) if move.what == "add bm25 over phrase").change(piece)
    added = load_design(piece.text, "x", load_all()).retrieval[1].params
    assert (added.view, added.store) == ("phrase", "one")


def test_what_needs_a_helper_is_added_where_there_is_one():
    def added(helper):
        piece = Workpiece(BASE, load_all(), helper=helper)
        return {move.what for move in moves(piece)}

    more = added(helper=True) - added(helper=False)
    assert {"add hyde", "add multi_query", "add decompose", "add rerank", "units facts"} <= more
    assert "add the view questions and search it by dense" in more
    kinds = [a.proposal for a in search(replace(state(), helper=True), 30, lambda _: 0.2, SamplerOptions(structure=1))]
    assert any(model_needs(load_design(one.text, "x", load_all())) for one in kinds)
