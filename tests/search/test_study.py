from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from study_fakes import BASE, PARTS, FakeEvaluator, StepProposer, chance, make_study, run

from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.search.ledger import Ledger
from designsearch.search.results import QuestionResult


def with_k(k: int) -> str:
    return BASE.replace("k: 100", f"k: {k}")


class ByK(FakeEvaluator):
    """Quality is what the table says for k."""

    def __init__(self, table: dict[int, float], default: float = 0.3) -> None:
        super().__init__(lambda design: table.get(design.retrieval[0].params.k, default))


def entries(folder: Path):
    return Ledger(str(folder / "runs/demo/journal.log"), "demo", "evidence_recall", print).entries()


def decisions(folder: Path) -> list[str]:
    return [entry.decision for entry in entries(folder)]


def test_a_better_revision_becomes_the_incumbent_and_a_worse_one_does_not(tmp_path):
    evaluator = ByK({100: 0.3, 200: 0.6, 300: 0.1, 400: 0.95})
    proposer = StepProposer([with_k(200), with_k(300), with_k(400)])
    outcome = run(tmp_path, "budget: {trials: 3}\n", evaluator=evaluator, proposer=proposer)
    assert decisions(tmp_path) == ["accepted", "rejected", "accepted"]
    assert (outcome.scored, outcome.accepted, outcome.exit_code, outcome.reason) == (3, 2, 0, "trials")
    assert outcome.best > 0.9 > outcome.base
    assert proposer.states[2].text == with_k(200)  # made from the accepted revision, not from the rejected one
    assert proposer.states[2].score == entries(tmp_path)[0].value


def test_the_base_is_scored_once_and_every_design_once(tmp_path):
    first = FakeEvaluator()
    run(tmp_path, "budget: {trials: 3}\n", evaluator=first)
    again = FakeEvaluator()
    run(tmp_path, "budget: {trials: 5}\n", evaluator=again)
    scored = [design for design, part in first.evaluated + again.evaluated if part == "validation"]
    assert len(scored) == len(set(scored)) == 6


def test_failures_are_diagnosed_after_an_acceptance_only(tmp_path):
    evaluator = ByK({200: 0.7, 300: 0.1, 400: 0.1})
    run(tmp_path, "budget: {trials: 3}\n", evaluator=evaluator,
        proposer=StepProposer([with_k(200), with_k(300), with_k(400)]))  # fmt: skip
    assert len(evaluator.diagnosed) == 2  # of the base, and of the accepted revision
    assert len(set(evaluator.diagnosed)) == 2


def test_a_proposer_never_sees_a_validation_question(tmp_path):
    proposer = StepProposer()
    run(tmp_path, "budget: {trials: 2}\n", proposer=proposer)
    seen = {failure.question_id.split("-")[0] for state in proposer.states for failure in state.failures}
    assert seen == {"train"}
    sample = proposer.states[0].sample
    assert 0 < len(sample) <= 10
    assert sample == proposer.states[1].sample


def test_an_invalid_and_a_repeated_design_cost_nothing_and_no_trial(tmp_path):
    evaluator = ByK({})
    texts = [BASE.replace("bm25", "bm52"), BASE, with_k(200), with_k(200) + "# a comment\n", with_k(300)]
    outcome = run(tmp_path, "budget: {trials: 2}\n", evaluator=evaluator, proposer=StepProposer(texts))
    assert decisions(tmp_path) == ["invalid", "duplicate", "rejected", "duplicate", "rejected"]
    assert outcome.scored == 2
    assert sum(part == "validation" for _, part in evaluator.evaluated) == 3
    invalid = entries(tmp_path)[0]
    assert "unknown operator bm52 (did you mean bm25?)" in invalid.attrs["reason"]
    assert not invalid.scored


def test_a_crash_is_recorded_with_its_cause_and_the_study_goes_on(tmp_path):
    class Crashes(ByK):
        def evaluate(self, design, part):
            if design.retrieval[0].params.k == 200:
                raise ZeroDivisionError("by k")
            if design.retrieval[0].params.k == 300:
                raise UserError("this design needs a model")
            return super().evaluate(design, part)

    outcome = run(
        tmp_path,
        "budget: {trials: 1}\n",
        evaluator=Crashes({400: 0.8}),
        proposer=StepProposer([with_k(200), with_k(300), with_k(400)]),
    )
    assert decisions(tmp_path) == ["crashed", "crashed", "accepted"]
    assert entries(tmp_path)[0].attrs["reason"] == "ZeroDivisionError: by k"
    assert entries(tmp_path)[1].attrs["reason"] == "this design needs a model"
    trace = (tmp_path / "runs/demo/trials/000/error.txt").read_text()
    assert "Traceback" in trace
    assert "by k" in trace
    assert not (tmp_path / "runs/demo/trials/001/error.txt").exists()
    assert outcome.exit_code == 0


def test_a_bug_while_the_base_is_scored_shows(tmp_path):
    class Broken(FakeEvaluator):
        def evaluate(self, design, part):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(tmp_path, evaluator=Broken())


@pytest.mark.parametrize("given", [None, [], "nan", "unmeasured"])
def test_what_was_not_measured_is_no_score(tmp_path, given):
    """Neither 0 nor a reason to accept: the cause is kept, and the status says that nothing was measured."""

    class Nothing(ByK):
        def evaluate(self, design, part):
            results = super().evaluate(design, part)
            if design.retrieval[0].params.k == 100:
                return results
            if isinstance(given, str):
                value, error = (math.nan, "") if given == "nan" else (None, "the index is gone")
                return [
                    QuestionResult(r.design, r.question_id, r.history, r.question, evidence_recall=value, error=error)
                    for r in results
                ]
            return given

    outcome = run(tmp_path, "budget: {trials: 5}\n", evaluator=Nothing({}),
                  proposer=StepProposer([with_k(200), with_k(300)]))  # fmt: skip
    assert decisions(tmp_path) == ["not_measured", "not_measured"]
    assert (outcome.scored, outcome.accepted, outcome.exit_code, outcome.reason) == (0, 0, 4, "exhausted")
    assert outcome.best == outcome.base
    assert outcome.claim is None
    reason = entries(tmp_path)[0].attrs["reason"]
    assert reason == {
        None: "the evaluation gave no results",
        "nan": "evidence_recall was measured on none of 40 questions",
        "unmeasured": "evidence_recall was measured on none of 40 questions; the first error: the index is gone",
    }.get(given if not isinstance(given, list) else None)


def test_a_base_that_cannot_be_measured_ends_the_study_with_the_cause(tmp_path):
    class Nothing(FakeEvaluator):
        def evaluate(self, design, part):
            return []

    with pytest.raises(CannotContinueError, match="the base cannot be measured: the evaluation gave no results"):
        run(tmp_path, evaluator=Nothing())


def test_a_design_measured_on_too_few_questions_is_not_comparable(tmp_path):
    class Partly(ByK):
        def evaluate(self, design, part):
            results = super().evaluate(design, part)
            if design.retrieval[0].params.k == 100:
                return results
            gone = {r.question_id for r in results[:8]}
            return [
                QuestionResult(r.design, r.question_id, r.history, r.question, error="judge failed")
                if r.question_id in gone
                else r
                for r in results
            ]

    run(tmp_path, "budget: {trials: 1}\n", evaluator=Partly({200: 0.99}), proposer=StepProposer([with_k(200)]))
    entry = entries(tmp_path)[0]
    assert entry.decision == "indecisive"
    assert "8 of 40 questions (20%) were not measured under both designs" in entry.attrs["reason"]


def test_numpy_values_and_odd_floats_are_stored_and_read_again(tmp_path):
    class Numpy(ByK):
        def evaluate(self, design, part):
            return [
                QuestionResult(
                    r.design, r.question_id, r.history, r.question,
                    evidence_recall=np.float32(r.evidence_recall), seconds=float("nan"), cost=np.float64(0.0),
                    metrics={"f1": np.float32(0.5), "bad": float("inf")},
                )
                for r in super().evaluate(design, part)
            ]  # fmt: skip

    outcome = run(tmp_path, "budget: {trials: 1}\n", evaluator=Numpy({200: 0.9}), proposer=StepProposer([with_k(200)]))
    assert outcome.accepted == 1
    for line in (tmp_path / "runs/demo/trials/000/results.jsonl").read_text().splitlines():
        assert json.loads(line, parse_constant=pytest.fail)["metrics"]["bad"] is None
    again = run(tmp_path, "budget: {trials: 1}\n", evaluator=Numpy({200: 0.9}), proposer=StepProposer([]))
    assert (again.best, again.best_hash) == (outcome.best, outcome.best_hash)


def test_twenty_proposals_in_a_row_that_cannot_be_scored_end_the_study(tmp_path):
    outcome = run(tmp_path, proposer=StepProposer([BASE] * 50))
    assert len(entries(tmp_path)) == 20
    assert (outcome.reason, outcome.exit_code) == ("barren", 4)
    assert outcome.text == "the last 20 proposals could not be scored (duplicate)"


def test_nothing_left_to_propose_ends_the_study(tmp_path):
    outcome = run(tmp_path, evaluator=ByK({}), proposer=StepProposer([with_k(200)]))
    assert (outcome.reason, outcome.exit_code, outcome.text) == ("exhausted", 0, "steps has nothing left to propose")


def test_nothing_left_to_gain_ends_the_study(tmp_path):
    outcome = run(tmp_path, evaluator=ByK({200: 1.0}), proposer=StepProposer([with_k(200), with_k(300)]))
    assert (outcome.reason, outcome.scored) == ("perfect", 1)


def test_minutes_are_a_cap_over_all_runs_and_have_a_status_of_their_own(tmp_path):
    class Slow(FakeEvaluator):
        def evaluate(self, design, part):
            return super().evaluate(design, part)

    extra = "budget: {trials: 500, minutes: 0.01}\n"
    outcome = run(tmp_path, extra, evaluator=Slow(seconds=0.1))
    assert (outcome.reason, outcome.exit_code) == ("minutes", 3)
    assert 1 <= outcome.scored < 10
    again = run(tmp_path, extra, evaluator=Slow(seconds=0.1))
    assert again.scored == outcome.scored


def test_ctrl_c_marks_the_trial_and_its_proposal_is_taken_up(tmp_path):
    class Interrupted(ByK):
        stop = True

        def evaluate(self, design, part):
            if design.retrieval[0].params.k == 200 and self.stop:
                raise KeyboardInterrupt
            return super().evaluate(design, part)

    evaluator = Interrupted({200: 0.8})
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator, proposer=StepProposer([with_k(200)]))
    assert decisions(tmp_path) == ["interrupted"]
    evaluator.stop = False
    # the proposal comes from the run folder: a proposer that is asked again might propose something else
    outcome = run(tmp_path, "budget: {trials: 1}\n", evaluator=evaluator, proposer=StepProposer([with_k(999)]))
    assert decisions(tmp_path) == ["interrupted", "accepted"]
    assert (outcome.scored, outcome.interrupted) == (1, 1)
    assert (tmp_path / "runs/demo/trials/001/design.yaml").read_text() == with_k(200)


def test_an_interrupted_study_finishes_exactly_what_is_left(tmp_path):
    class Dies(FakeEvaluator):
        left = 4

        def evaluate(self, design, part):
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return super().evaluate(design, part)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "budget: {trials: 10}\n", evaluator=Dies())
    outcome = run(tmp_path, "budget: {trials: 10}\n")
    assert (outcome.scored, outcome.interrupted) == (10, 1)
    assert len(entries(tmp_path)) == 11


def test_a_full_disk_stops_the_study_and_the_trial_is_taken_up(tmp_path, monkeypatch):
    study = make_study(tmp_path, "budget: {trials: 2}\n")
    monkeypatch.setattr("designsearch.search.kept_files.write_whole", fail_on("results.jsonl", times=2))
    with pytest.raises(CannotContinueError, match="No space left") as error:
        study.run()
    assert error.value.exit_code == 4
    monkeypatch.undo()
    assert run(tmp_path, "budget: {trials: 2}\n").scored == 2


def fail_on(name: str, times: int):
    from designsearch.runtime.cache import write_whole

    seen = []

    def write(path, content):
        if path.name == name:
            seen.append(path)
            if len(seen) == times:
                raise OSError(28, "No space left on device")
        write_whole(path, content)

    return write


def test_the_start_says_shares_and_the_smallest_gain(tmp_path):
    events = []
    run(tmp_path, "budget: {trials: 1}\n", events=events)
    start = next(event for event in events if event.kind == "start")
    assert "smallest gain it can detect on 40 questions at alpha 0.1: 0.1000" in start.text
    assert "validation: 40 questions (36%) about 2 histories" in start.text
    assert "optuna 5." in start.text
    assert [event.kind for event in events][:3] == ["start", "trial", "stop"]


def test_every_stop_says_why(tmp_path):
    events = []
    run(tmp_path, "budget: {trials: 2}\n", events=events)
    stop = next(event.text for event in events if event.kind == "stop")
    assert stop.startswith("stopped: all 2 trials are used. 2 scored, ")
    assert "0 interrupted" in stop


def test_confirm_looks_at_the_reserved_slice_only_after_validation_and_hides_what_it_lost_by(tmp_path):
    class Lucky(ByK):
        """Good on validation, bad where it is confirmed."""

        def evaluate(self, design, part):
            if part == "confirm" and design.retrieval[0].params.k == 200:
                return [
                    QuestionResult(design.hash, f"confirm-{i}", f"user{i % 2}", "?", evidence_recall=0.0)
                    for i in range(PARTS["confirm"])
                ]
            return super().evaluate(design, part)

    evaluator = Lucky({200: 0.9, 300: 0.05})
    proposer = StepProposer([with_k(300), with_k(200), with_k(400)])
    extra = (
        "split: {train: 0.5, validation: 0.2, locked: 0.2, confirm: 0.1}\n"
        "accept: {op: confirm, alpha: 0.2}\nbudget: {trials: 3}\n"
    )
    run(tmp_path, extra, evaluator=evaluator, proposer=proposer)
    assert decisions(tmp_path) == ["rejected", "rejected", "rejected"]
    assert [part for _, part in evaluator.evaluated].count("confirm") == 1  # the incumbent; the loser beside it
    lost = entries(tmp_path)[1].attrs
    assert lost["confirmed"] is True
    assert lost["gain"] < 0
    told = proposer.states[2].attempts[1]
    assert (told.gain, told.reason) == (None, "lost its confirmation on the reserved slice")
    resumed = StepProposer([*proposer.texts, with_k(500)])
    run(tmp_path, extra.replace("trials: 3", "trials: 4"), evaluator=evaluator, proposer=resumed)
    assert resumed.states[0].attempts == proposer.states[2].attempts + resumed.states[0].attempts[2:]


def test_evidence_is_not_bought_by_leaving_answers_out(tmp_path):
    class Bare(ByK):
        def evaluate(self, design, part):
            results = super().evaluate(design, part)
            if design.retrieval[0].params.k == 100:
                return results
            return [
                QuestionResult(
                    r.design, r.question_id, r.history, r.question,
                    evidence_recall=r.evidence_recall, answer_recall=0.1 + 0.2 * chance(r.question_id),
                )
                for r in results
            ]  # fmt: skip

    run(tmp_path, "budget: {trials: 1}\n", evaluator=Bare({200: 0.95}), proposer=StepProposer([with_k(200)]))
    entry = entries(tmp_path)[0]
    assert entry.decision == "rejected"
    assert entry.attrs["gain"] > 0.3
    assert entry.attrs["reason"].startswith("answer_recall fell by 0.29")


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from study_fakes import FakeEvaluator, make_study
print("go", flush=True)
make_study(Path(sys.argv[1]), "budget: {trials: 400}\\n", FakeEvaluator(seconds=0.05)).run()
"""


def test_a_second_process_is_refused_while_a_study_runs(tmp_path):
    here = str(Path(__file__).parent)
    process = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path), here], stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        journal = tmp_path / "runs/demo/journal.log"
        while not (journal.exists() and journal.stat().st_size > 5000):
            assert process.poll() is None
        with pytest.raises(CannotContinueError, match=f"in use by process {process.pid}") as error:
            run(tmp_path, "budget: {trials: 400}\n")
        assert error.value.exit_code == 4
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    events = []
    outcome = run(tmp_path, "budget: {trials: 3}\n", events=events)
    notes = [event.text for event in events if event.kind == "note"]
    assert f"cleared the lock of process {process.pid}, which is gone" in notes
    assert outcome.interrupted <= 1
    assert outcome.scored >= 1
