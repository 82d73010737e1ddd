import pytest
from study_fakes import BASE, FakeEvaluator, StepProposer, run

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.run_folder import RunFolder
from designsearch.search.study_refs import revision_file
from designsearch.search.trial_log import read_log


def with_k(k):
    return BASE.replace("k: 100", f"k: {k}")


def studied(folder, extra=""):
    evaluator = FakeEvaluator(lambda design: {200: 0.8}.get(design.retrieval[0].params.k, 0.3))
    proposer = StepProposer([with_k(200), "version: 2\n", with_k(300)])
    return run(folder, "budget: {trials: 2}\n" + extra, evaluator=evaluator, proposer=proposer)


@pytest.mark.parametrize("storage", ["", "storage: ledgers/mine.log\n", "storage: sqlite:///db/study.db\n"])
def test_every_trial_stands_in_the_log(tmp_path, storage):
    outcome = studied(tmp_path, storage)
    log = read_log(RunFolder(tmp_path / ("ledgers" if "mine" in storage else "runs/demo")))
    assert (log.study, log.objective) == ("demo", "evidence_recall")
    assert [(row.trial, row.decision, row.revision) for row in log.rows] == [
        (0, "accepted", 1), (1, "invalid", None), (2, "rejected", None),
    ]  # fmt: skip
    assert (log.base, log.best) == (outcome.base, outcome.best)
    assert log.rows[0].value == outcome.best
    assert log.rows[0].tokens == 1019.5
    assert log.rows[0].answer_recall == 0.5
    assert log.rows[0].gain == pytest.approx(outcome.best - outcome.base)
    assert log.rows[1].value is None
    assert "version" in log.rows[1].reason
    assert log.count("accepted", "rejected", "indecisive") == 2
    assert log.claim["use"] == 1


def test_a_missing_ledger_is_told(tmp_path):
    studied(tmp_path)
    (tmp_path / "runs/demo/journal.log").unlink()
    with pytest.raises(CannotContinueError, match="the ledger of this study is not there"):
        read_log(RunFolder(tmp_path / "runs/demo"))


def test_revisions_have_their_lineage_above_them(tmp_path, monkeypatch):
    studied(tmp_path)
    monkeypatch.chdir(tmp_path)
    lines = revision_file("demo@best").read_text().splitlines()
    assert lines[0].startswith("# yaml-language-server: $schema=")
    assert lines[0].endswith("dsl/design.schema.json")
    assert lines[1].startswith("# revision 1 of study demo, trial 0, made from ")
    assert lines[2].startswith("# score ")
    assert lines[4:] == with_k(200).splitlines()[1:]
    assert revision_file("demo@base").name.startswith("000-")
    assert "yaml-language-server" not in "\n".join(lines[1:])


def test_revisions_that_were_lost_are_written_again(tmp_path):
    studied(tmp_path)
    folder = tmp_path / "runs/demo/revisions"
    before = {path.name: path.read_text() for path in folder.iterdir()}
    for path in folder.iterdir():
        path.unlink()
    studied(tmp_path)
    assert {path.name: path.read_text() for path in folder.iterdir()} == before
    assert len(before) == 2


def test_missing_files_of_an_accepted_revision_are_told(tmp_path):
    studied(tmp_path)
    (tmp_path / "runs/demo/trials/000/results.jsonl").unlink()
    with pytest.raises(CannotContinueError, match="files of the accepted revision 1 are missing"):
        studied(tmp_path)


def test_damaged_files_are_told(tmp_path):
    studied(tmp_path)
    (tmp_path / "runs/demo/trials/base/results.jsonl").write_text('{"torn', encoding="utf-8")
    with pytest.raises(CannotContinueError, match=r"results\.jsonl: is damaged"):
        studied(tmp_path)
