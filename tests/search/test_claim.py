from __future__ import annotations

import json
from dataclasses import replace

import pytest
from study_fakes import BASE, PARTS, FakeEvaluator, StepProposer, make_study, run

from designsearch.search.claim import Claim
from designsearch.search.run_folder import RunFolder
from designsearch.search.study_setup import forked
from designsearch.search.trial_log import read_log

BETTER = BASE.replace("k: 100", "k: 200")
BEST = BASE.replace("k: 100", "k: 300")


def evaluator():
    return FakeEvaluator(lambda design: {100: 0.3, 200: 0.7, 300: 0.95}[design.retrieval[0].params.k])


def test_base_and_best_are_compared_on_the_locked_questions_at_the_end(tmp_path):
    events = []
    runs = evaluator()
    outcome = run(tmp_path, "budget: {trials: 1}\n", evaluator=runs, proposer=StepProposer([BETTER]), events=events)
    claim = outcome.claim
    assert [part for _, part in runs.evaluated] == ["validation", "validation", "locked", "locked"]
    assert claim.questions == PARTS["locked"]
    assert claim.gain == pytest.approx(claim.best - claim.base)
    assert claim.gains - claim.losses == round(claim.gain * claim.questions)
    assert claim.interval[0] < claim.gain < claim.interval[1]
    assert set(claim.by_history) == {"user0", "user1"}
    assert claim.users_interval is not None
    assert claim.use == 1
    assert claim.answer_recall == (0.5, 0.5)
    said = next(event.text for event in events if event.kind == "claim")
    assert said.endswith("the slice is spent now")
    assert "for users like these (95 % interval" in said


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (set(), "claim on 30 locked questions: "),
        ({"user0"}, "claim on 30 locked questions, 15 of them generated from the histories, not official: "),
        ({"user0", "user1"}, "claim on 30 locked questions, generated from the histories, not official: "),
    ],
)
def test_a_claim_says_which_questions_were_generated(tmp_path, made, said):
    events = []
    study = make_study(tmp_path, "budget: {trials: 1}\n", evaluator(), StepProposer([BETTER]), events)
    study.split = replace(study.split, made=frozenset(made))
    claim = study.run().claim
    assert claim.generated == 15 * len(made)
    assert next(event.text for event in events if event.kind == "claim").startswith(said)
    assert Claim.from_json(json.loads(json.dumps(claim.to_json()))) == claim
    log = read_log(RunFolder(study.file.run_folder))
    assert (log.questions, log.generated) == (sum(PARTS.values()), sum(PARTS.values()) // 2 * len(made))


def test_a_claim_that_was_kept_before_questions_told_their_origin(tmp_path):
    claim = run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER])).claim
    kept = claim.to_json()
    del kept["generated"]
    assert Claim.from_json(kept) == claim


def test_a_study_that_is_run_again_does_not_look_again(tmp_path):
    first = run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER])).claim
    runs = evaluator()
    again = run(tmp_path, "budget: {trials: 1}\n", evaluator=runs, proposer=StepProposer([BETTER])).claim
    assert again == first
    assert runs.evaluated == []


def test_a_later_claim_says_how_often_the_slice_was_used(tmp_path):
    run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER]))
    events = []
    second = run(
        tmp_path, "budget: {trials: 2}\n", evaluator=evaluator(), proposer=StepProposer([BETTER, BEST]), events=events
    ).claim
    assert second.use == 2
    said = next(event.text for event in events if event.kind == "claim")
    assert "the slice has been looked at 2 times" in said
    study = make_study(tmp_path, "budget: {trials: 1}\n", evaluator(), StepProposer([BEST]))
    study.file = forked(study.file, "fork")
    assert study.run().claim.use == 3  # the same questions, whichever study looks


def test_without_an_accepted_revision_the_slice_is_not_spent(tmp_path):
    runs = FakeEvaluator(lambda design: 0.3)
    outcome = run(tmp_path, "budget: {trials: 1}\n", evaluator=runs, proposer=StepProposer([BETTER]))
    assert outcome.claim is None
    assert not (tmp_path / "runs/locked-slices.jsonl").exists()


def test_a_claim_holds_no_questions(tmp_path):
    run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator(), proposer=StepProposer([BETTER]))
    text = (tmp_path / "runs/demo/claim.json").read_text()
    assert "locked-1" not in text
    assert json.loads(text)["use"] == 1
