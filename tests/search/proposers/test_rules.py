from __future__ import annotations

from dataclasses import replace

import pytest
from rule_states import BASE, failures, order, state

from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.proposers.base import Attempt
from designsearch.search.proposers.profile import Profile
from designsearch.search.proposers.rule_table import RULES
from designsearch.search.proposers.rules import RulesProposer


def test_evidence_of_one_role_drowned_by_others_stores_that_role_alone():
    proposal = RulesProposer().propose(state(found=failures(others=0.8)))
    assert proposal.params["rule"] == "one_role"
    assert "units: {op: turns, roles: [user]}   # what one memory is" in proposal.text
    assert proposal.edits == ({"op": "set", "path": "storage.units", "value": {"op": "turns", "roles": ["user"]}},)
    assert "100% of the lost evidence was said by user, while others take up 80% of the context" in proposal.rationale


@pytest.mark.parametrize(
    "found",
    [
        failures(others=0.1),  # the others take little room
        failures(others=0.8)[:14] + failures(6, role="assistant", others=0.2),  # evidence of both roles
        failures(role="", others=0.8),  # no roles known
    ],
)
def test_roles_stay_where_the_evidence_does_not_speak_for_one(found):
    assert "one_role" not in order(found)


def test_evidence_never_ranked_brings_in_other_ways_to_search():
    names = order(failures(kind="not_retrieved", lost_at=""))
    assert names[0] == "search_windows"
    assert {"add_dense", "search_replies", "feedback", "stop_words"} <= set(names)
    assert "dates_as_titles" not in names  # the budget is not what failed


def test_evidence_dropped_by_a_stage_brings_more_candidates():
    proposal = RulesProposer().propose(state(found=failures(lost_at="retrieval[0]")))
    assert proposal.params["rule"] == "more_candidates"
    assert "k: 300" in proposal.text


def test_evidence_in_no_unit_stores_everything():
    text = BASE.replace("{op: records}", "{op: turns, roles: [user]}")
    found = failures(kind="not_stored", category="storage", lost_at="")
    assert RulesProposer().propose(state(text, found)).params["rule"] == "store_everything"


def test_a_full_budget_shortens_the_items():
    names = order(failures())
    assert "dates_as_titles" in names
    text = next(rule for rule in RULES if rule.name == "dates_as_titles")
    assert text.expected(Profile.of(failures()), _piece(BASE)) > 0


def test_wrong_answers_with_all_evidence_change_how_it_is_shown():
    found = failures(category="answering", kind="", lost_at="")
    names = order(found, BASE.replace('item: "[{{ unit.time | day }}] ', 'item: "'))
    assert names == ["say_when", "best_at_the_ends"]


def test_the_table_ends_and_says_so():
    names = order(failures(others=0.8, several=2))
    assert len(names) == len(set(names)) < 25
    assert RulesProposer().propose(state(found=[])) is None


def test_a_rule_that_failed_before_waits():
    found = failures(kind="not_retrieved", lost_at="")
    first = RulesProposer().propose(state(found=found))
    failed = Attempt(0, first, "other", "another-parent", "rejected", 0.2, -0.1)
    second = RulesProposer().propose(state(found=found, attempts=[failed]))
    assert first.params["rule"] == "search_windows"
    assert second.params["rule"] != "search_windows"
    assert "search_windows" in {
        r.name for r in RULES if r.expected(Profile.of(found), _piece(BASE)) > 0
    }  # it comes later, it is not gone


def test_comments_and_order_of_the_incumbent_stay():
    for name in order(failures(others=0.8, several=2))[:3]:
        assert name
    proposal = RulesProposer().propose(state(found=failures(kind="not_retrieved", lost_at="")))
    assert "# what one memory is" in proposal.text
    kept = [line for line in BASE.splitlines() if line in proposal.text.splitlines()]
    assert len(kept) >= len(BASE.splitlines()) - 1


def test_every_rule_of_the_table_gives_a_valid_design_somewhere():
    found = [
        *failures(16, others=0.8, several=2),
        *failures(4, kind="not_retrieved", lost_at=""),
        *failures(4, kind="not_stored", category="storage", lost_at=""),
        *failures(4, category="answering", kind="", lost_at=""),
        *failures(4, lost_at="retrieval[0]"),
        *failures(4, kind="stopped_early", lost_at="retrieval[0].stop"),
        *failures(4, kind="not_retrieved", lost_at="retrieval[0].search"),
        *failures(4, kind="not_kept", lost_at="retrieval[0].extract"),
        *failures(4, lost_at="retrieval[0].observation_tokens"),
    ]
    long_evidence = [replace(f, evidence=(replace(f.evidence[0], text="word " * 200),)) for f in found]
    texts = [
        BASE,
        BASE.replace("{op: records}", "{op: turns, roles: [user]}"),
        BASE.replace("{op: bm25, k: 100}", "{op: dense, k: 100}"),
        BASE.replace("  - {op: bm25, k: 100}", "  - {op: bm25}\n  - {op: dense}\n  - {op: rrf}"),
        BASE.replace("context:", "context:\n  fill: stop"),
        BASE.replace('item: "[{{ unit.time | day }}] ', 'item: "'),
        BASE.replace("{op: bm25, k: 100}", "{op: policy, search: [{op: bm25, k: 100}]}"),
    ]
    used = {name for text in texts for name in order(long_evidence, text, helper=True)} | set(order(found, helper=True))
    assert used == {rule.name for rule in RULES}


def test_what_calls_a_model_comes_last_and_only_where_there_is_a_helper():
    found = [*failures(8, several=2), *failures(8, kind="not_retrieved", lost_at="")]
    names = order(found, helper=True)
    calls = [next((rule.calls_model for rule in RULES if rule.name == name), False) for name in names]
    assert calls == sorted(calls)
    model = [name for name, call in zip(names, calls, strict=True) if call]
    assert model == ["rerank", "other_wordings", "parts_of_questions", "search_questions"]
    assert order(found) == [name for name in names if name not in model]


def test_reading_candidates_together_is_for_evidence_that_ranks_low():
    first = next(p for p in _proposals(failures(kind="cut"), helper=True) if p.params["rule"] == "rerank")
    assert "{op: rerank}" in first.text
    assert first.rationale == (
        "let the helper order the first candidates: evidence was ranked and then lost in 100% of the failures, "
        "at rank 80 in the middle case"
    )


def test_an_answer_is_checked_where_all_evidence_was_shown():
    asked = _proposals(failures(category="answering", kind="", lost_at=""), helper=True)
    checked = next(p for p in asked if p.params["rule"] == "check_answers")
    assert "answer:\n  check: {}\n" in checked.text


def _proposals(found, helper):
    attempts, tried, made = [], [], []
    while (proposal := RulesProposer().propose(state(BASE, found, attempts, tried, helper=helper))) is not None:
        tried.append(load_design(proposal.text, "x", load_all()).hash)
        made.append(proposal)
        attempts.append(Attempt(len(attempts), proposal, tried[-1], state().design.hash, "rejected", 0.2, -0.1))
    return made


def _piece(text):
    from designsearch.search.proposers.workpiece import Workpiece

    return Workpiece(text, load_all())
