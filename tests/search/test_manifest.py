from __future__ import annotations

import json
from pathlib import Path

import optuna
import pytest
from study_fakes import FakeEvaluator, StepProposer, make_study, run

from designsearch.dsl.operators import Operator, Params, Registry
from designsearch.dsl.problems import CannotContinueError
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.manifest import build_manifest, sampler_of
from designsearch.search.study_file import parse_study
from designsearch.search.study_setup import forked


def begun(folder) -> None:
    run(folder, "budget: {trials: 1}\n")


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ("seed: 3\n", "seed: was 0, is 3"),
        ("context_budget: 99\n", "context_budget: was 4000, is 99"),
        ("accept: {op: paired, alpha: 0.2}\n", "accept: was {'op': 'paired', 'alpha': 0.1}, is {'op': 'paired'"),
        ("proposer: {op: rules}\n", "proposer: was {'op': 'mixed'"),
        ("history_view: as_of\n", "history_view: was all, is as_of"),
    ],
)  # fmt: skip
def test_a_changed_setting_refuses_to_go_on_and_is_named(tmp_path, extra, said):
    begun(tmp_path)
    evaluator = FakeEvaluator()
    with pytest.raises(CannotContinueError) as error:
        run(tmp_path, extra, evaluator=evaluator)
    assert said in str(error.value)
    assert "--fork NAME" in str(error.value)
    assert error.value.exit_code == 4
    assert evaluator.evaluated == []


def test_changed_history_and_questions_are_named_together(tmp_path):
    begun(tmp_path)
    changed = FakeEvaluator()
    changed.fingerprints |= {"history": "h2", "questions": "q2"}
    with pytest.raises(CannotContinueError) as error:
        run(tmp_path, evaluator=changed)
    assert "history: has changed (h1 -> h2)" in str(error.value)
    assert "questions: has changed (q1 -> q2)" in str(error.value)


def test_a_changed_base_is_refused_but_not_its_comments(tmp_path):
    begun(tmp_path)
    study = make_study(tmp_path, "budget: {trials: 2}\n")
    study.base = load_design(study.base.text + "# only a comment\n", "base.yaml", load_all())
    assert study.run().scored == 2
    study.base = load_design(study.base.text.replace("k: 100", "k: 101"), "base.yaml", load_all())
    with pytest.raises(CannotContinueError, match="base: was"):
        study.run()


def test_another_metric_is_refused(tmp_path):
    begun(tmp_path)
    study = make_study(tmp_path)
    object.__setattr__(study.file, "shape", study.file.shape.model_copy(update={"objective": "accuracy"}))
    with pytest.raises(CannotContinueError, match="objective: was evidence_recall, is accuracy"):
        study.run()


def test_a_larger_budget_goes_on(tmp_path):
    begun(tmp_path)
    assert run(tmp_path, "budget: {trials: 3, minutes: 60}\n").scored == 3


def test_a_new_operator_changes_the_search_space(tmp_path):
    begun(tmp_path)
    study = make_study(tmp_path)
    study.registry = Registry(dict(study.registry.operators))
    study.registry.add(Operator("novel", "refine", Params, lambda: None))
    with pytest.raises(CannotContinueError, match=r"search space: operator cascade\.novel is new"):
        study.run()


def test_the_manifest_says_what_results_depend_on(tmp_path):
    begun(tmp_path)
    manifest = json.loads((tmp_path / "runs/demo/manifest.json").read_text())
    study = make_study(tmp_path)
    assert manifest["fingerprints"] == study.evaluator.fingerprints
    assert manifest["base"] == study.base.hash
    assert manifest["sampler"] == f"optuna {optuna.__version__} TPESampler"
    assert manifest["search_space"]["cascade.bm25"]["k"]["tune"] == {"low": 20, "high": 1000, "log": True}
    assert manifest == json.loads(json.dumps(build_manifest(study.file, study.base, study.evaluator, study.registry)))
    assert (tmp_path / "runs/demo/study.yaml").read_text().startswith("version: 1\nstudy: demo\n")


def test_a_fork_is_a_study_of_its_own(tmp_path):
    begun(tmp_path)
    study = make_study(tmp_path, "seed: 3\nbudget: {trials: 1}\n", proposer=StepProposer())
    study.file = forked(study.file, "second")
    assert study.run().scored == 1
    assert json.loads((tmp_path / "runs/second/manifest.json").read_text())["seed"] == 3
    assert json.loads((tmp_path / "runs/demo/manifest.json").read_text())["seed"] == 0


def test_the_algorithm_that_runs_is_named():
    def sampler(text):
        return sampler_of(parse_study(text, Path(__file__)))

    text = f"version: 1\nstudy: s\ndata: [{{history: {__file__}}}]\nbase: {__file__}\n"
    assert sampler(text) == " TPESampler"
    assert sampler(text + "proposer: {op: sampler, sampler: random}\n") == " RandomSampler"
    assert sampler(text + "proposer: {op: mixed, of: [rules]}\n") == ""


def test_a_lost_ledger_is_not_begun_anew(tmp_path):
    begun(tmp_path)
    (tmp_path / "runs/demo/journal.log").unlink()
    with pytest.raises(CannotContinueError, match="there are trials, but the ledger holds none of them"):
        run(tmp_path)


def test_a_lost_manifest_is_not_made_anew(tmp_path):
    begun(tmp_path)
    (tmp_path / "runs/demo/manifest.json").unlink()
    with pytest.raises(CannotContinueError, match="the ledger holds 1 trials of this study, but"):
        run(tmp_path)
    assert not (tmp_path / "runs/demo/manifest.json").exists()


def test_a_run_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "runs").touch()
    with pytest.raises(CannotContinueError, match="the run folder cannot be written to"):
        run(tmp_path)
