"""What another run of a study would do."""

from __future__ import annotations

import pytest
from study_fakes import BASE, PARTS, FakeEvaluator, StepProposer, make_study, run

from designsearch.search.run_folder import RunFolder
from designsearch.search.standing import standing_of

BETTER = BASE.replace("k: 100", "k: 200")
PERFECT = BASE.replace("k: 100", "k: 300")
QUALITY = {100: 0.3, 200: 0.7, 300: 1.0}


def evaluator():
    return FakeEvaluator(lambda design: QUALITY[design.retrieval[0].params.k])


def stands(folder, extra="", locked=PARTS["locked"]):
    study = make_study(folder, extra)
    return standing_of(study.file, study.base, study.registry, locked)


def test_one_that_was_never_run_stands_nowhere(tmp_path):
    assert stands(tmp_path) is None


def test_one_whose_trials_are_used_is_finished_and_goes_on_with_more(tmp_path):
    done = run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER]))
    now = stands(tmp_path, "budget: {trials: 1}\n")
    assert (now.state, now.finished, now.left) == ("finished", True, 0)
    assert (now.scored, now.accepted, now.base, now.best) == (1, 1, done.base, done.best)
    assert now.lines() == [
        f"1 scored, 1 accepted; validation {done.base:.4f} -> {done.best:.4f}; all 1 trials are used"
    ]
    more = stands(tmp_path, "budget: {trials: 3}\n")
    assert (more.state, more.end, more.left, more.claim) == ("begun", "", 2, False)
    assert more.lines()[0].endswith("; 2 more may be scored")


@pytest.mark.parametrize(
    ("texts", "why"),
    [([BETTER], "steps has nothing left to propose"), ([PERFECT], "the incumbent is right on every validation")],
)
def test_one_that_nothing_can_be_added_to_is_finished(tmp_path, texts, why):
    run(tmp_path, evaluator=evaluator(), proposer=StepProposer(texts))
    now = stands(tmp_path)
    assert now.finished
    assert now.end.startswith(why)


def test_a_claim_that_was_not_made_is_left(tmp_path):
    run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER]))
    study = make_study(tmp_path, "budget: {trials: 1}\n")
    RunFolder(study.file.run_folder).claim.unlink()
    now = stands(tmp_path, "budget: {trials: 1}\n")
    assert (now.finished, now.claim, now.state) == (False, True, "begun")
    assert now.lines()[1] == "the claim on the locked questions is still to be made"
    assert stands(tmp_path, "budget: {trials: 1}\n", locked=0).finished


def test_nothing_is_written(tmp_path):
    run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER]))
    before = {path: path.read_bytes() for path in (tmp_path / "runs").rglob("*") if path.is_file()}
    stands(tmp_path, "budget: {trials: 1}\n")
    assert {path: path.read_bytes() for path in (tmp_path / "runs").rglob("*") if path.is_file()} == before
