from __future__ import annotations

from dataclasses import replace

import pytest
from evaluate_fakes import task_of

from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.evaluate import Runner
from designsearch.search.proposers.base import Attempt, ProposalState
from designsearch.search.proposers.fit import VARIANTS, FitProposer

PLAIN = "version: 1\nretrieval:\n  - {op: bm25, k: 100}\n"
SCORED = PLAIN + "  - {op: score, features: {bm25: 3.0, coverage: 1.0}}\n"


class Asked:
    """All questions of a small history as training questions."""

    tasks = (task_of(),)

    def passes(self, design, part):
        assert part == "train"
        return Runner().passes(design, self.tasks[0], range(len(self.tasks[0].questions)))


def state(text, *attempts):
    design = load_design(text, "x", load_all())
    return ProposalState(
        text=text, design=design, score=0.6, failures=[], attempts=attempts, tried=frozenset({design.hash}),
        registry=load_all(), seed=0, ordinal=len(attempts), objective="evidence_coverage", context_budget=4000,
    )  # fmt: skip


def proposed(now):
    return FitProposer(Asked()).propose(now)


def test_weights_are_learnt_anew_where_there_are_none():
    made = proposed(state(PLAIN))
    assert made.params == {"variant": "all_views"}


def test_weights_from_elsewhere_are_moved_first():
    made = proposed(state(SCORED))
    assert made.params == {"variant": "adapted"}
    design = load_design(made.text, "x", load_all())
    features = design.retrieval[-1].params.features
    assert set(features) == {"bm25", "coverage"}
    assert features["bm25"] == pytest.approx(3.0, abs=0.5)
    assert features != {"bm25": 3.0, "coverage": 1.0}


def test_weights_of_this_study_are_not_moved_with_the_same_questions():
    now = state(SCORED)
    fitted = proposed(now)
    accepted = Attempt(0, replace(fitted, params={"variant": "all_views"}), now.design.hash, "before", "accepted")
    assert proposed(state(SCORED, accepted)).params == {"variant": "all_views"}


def test_each_way_once():
    now = state(SCORED)
    seen = []
    while (made := proposed(now)) is not None:
        seen.append(made.params["variant"])
        now = state(SCORED, *now.attempts, Attempt(len(seen), made, f"h{len(seen)}", now.design.hash, "rejected"))
    assert seen[0] == "adapted"
    assert len(seen) == len(set(seen))
    assert set(seen) <= {variant.name for variant in VARIANTS}
