"""Files of a run folder that are not as they were written: told with their names, never read as something else."""

import json

import pytest
from study_fakes import BASE, FakeEvaluator, StepProposer, run

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.run_folder import RunFolder
from designsearch.search.run_record import read_run
from designsearch.search.trial_log import read_log

FIRST = "trials/000"


def with_k(k):
    return BASE.replace("k: 100", f"k: {k}")


def go_on(folder, trials):
    evaluator = FakeEvaluator(lambda design: {200: 0.8, 300: 0.1}.get(design.retrieval[0].params.k, 0.3))
    proposer = StepProposer([with_k(200), with_k(300), with_k(400)])
    return run(folder, f"budget: {{trials: {trials}}}\n", evaluator=evaluator, proposer=proposer)


@pytest.fixture
def folder(tmp_path):
    go_on(tmp_path, 2)
    return tmp_path


def refuses(folder, file, content, said):
    path = folder / "runs/demo" / file
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CannotContinueError) as caught:
        go_on(folder, 3)
    assert str(caught.value).startswith(f"{path}: is damaged (")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("manifest.json", "[]", "it lacks study, objective, seed"),
        ("manifest.json", '{"study": "demo", "base": "x", "seed": 0}', "it lacks objective"),
        (f"{FIRST}/proposal.json", "[]", ""),
        (f"{FIRST}/results.jsonl", "[]\n", ""),
        (f"{FIRST}/results.jsonl", '{"design": "x"}\n', "KeyError: 'question_id'"),
        (f"{FIRST}/diagnosis.json", "[5]", ""),
        (f"{FIRST}/design.yaml", "# nothing\n", "expected one design"),
        (f"{FIRST}/design.yaml", with_k(201), "the design that was scored is"),
    ],
)
def test_a_file_that_holds_something_else(folder, file, content, said):
    refuses(folder, file, content, said)


def test_results_of_which_some_are_lost(folder):
    lines = (folder / "runs/demo" / FIRST / "results.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    refuses(folder, f"{FIRST}/results.jsonl", "".join(lines[:-3]), "it holds 37 questions, that of the base 40")


@pytest.mark.parametrize("content", ["[]", "{}", '"x"'])
def test_a_manifest_that_is_none_is_told_to_readers_too(folder, content):
    run_folder = RunFolder(folder / "runs/demo")
    run_folder.manifest.write_text(content, encoding="utf-8")
    for read in (read_log, read_run):
        with pytest.raises(CannotContinueError, match=r"manifest\.json: is damaged"):
            read(run_folder)


def test_a_ledger_that_is_a_folder(folder):
    run_folder = RunFolder(folder / "runs/demo")
    journal = run_folder.root / "journal.log"
    journal.unlink()
    journal.mkdir()
    for read in (lambda: go_on(folder, 3), lambda: read_log(run_folder)):
        with pytest.raises(CannotContinueError, match=r"journal\.log: cannot be read"):
            read()


def test_what_is_whole_is_read(folder):
    assert go_on(folder, 3).scored == 3
    assert json.loads((folder / "runs/demo/manifest.json").read_text(encoding="utf-8"))["study"] == "demo"
