from __future__ import annotations

import json
from pathlib import Path

import pytest

from designsearch.dsl.problems import UserError
from designsearch.dsl.relocate import named_files
from designsearch.dsl.validate import load_design_file
from designsearch.runtime.operators import load_all
from designsearch.runtime.policies.weights import Weights
from designsearch.search.kept_files import read_json
from designsearch.search.run_folder import RunFolder
from designsearch.search.study_data import load_data, open_base
from designsearch.search.study_file import parse_study
from designsearch.search.study_setup import forked, open_study

DESIGN = "version: 1\nretrieval: [{op: bm25, k: 20}]\n"


def write_history(folder, name, count=12, word="apple"):
    """A history of messages with one question about each."""
    records = [
        {"id": f"m{i}", "text": f"The {word} number {i} lies on shelf {i * 7}.", "time": f"2024-03-{i + 1:02d}",
         "role": "user", "session": f"s{i // 4}", "source": "conversation" if i % 2 else "mail"}
        for i in range(count)
    ]  # fmt: skip
    questions = [
        {
            "question": f"Where does {word} number {i} lie?",
            "answer": f"shelf {i * 7}",
            "type": "fact" if i % 3 else "date",
            "evidence": [{"record": f"m{i}"}],
        }
        for i in range(count)
    ]
    for kind, lines in (("history", records), ("questions", questions)):
        path = folder / f"{name}.{kind}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "base.yaml").write_text(DESIGN, encoding="utf-8")
    for name, word in (("a", "apple"), ("b", "pear"), ("c", "plum")):
        write_history(tmp_path, name, word=word)
    return tmp_path


def study(folder, *entries, extra=""):
    data = "".join(f"  - {{{entry}}}\n" for entry in entries)
    text = f"version: 1\nstudy: s\ndata:\n{data}base: base.yaml\n{extra}"
    return parse_study(text, folder / "study.yaml")


def entry(name, more=""):
    return f"history: {name}.history.jsonl, questions: {name}.questions.jsonl{more}"


def test_histories_are_loaded_with_their_questions_and_shares(folder):
    data = load_data(study(folder, entry("a"), entry("b", ", split: locked")))
    assert [(task.name, len(task.questions)) for task in data.tasks] == [("a.history", 12), ("b.history", 12)]
    assert data.pinned == {"b.history": "locked"}
    assert any(note.startswith("a.history: 12 ") for note in data.notes)


def test_filters_and_sources_are_applied(folder):
    data = load_data(
        study(folder, entry("a", ", where: {type: fact, evidence: conversation}, sources: [conversation]"))
    )
    task = data.tasks[0]
    assert len(task.full) == 6
    assert {q.type for q in task.questions} == {"fact"}
    assert {task.full.sources[task.full.row[e.record]] for q in task.questions for e in q.evidence} == {"conversation"}


def test_a_history_may_be_named_once_only(folder):
    with pytest.raises(UserError, match=r"two histories are called a\.history"):
        load_data(study(folder, entry("a"), entry("a")))
    (folder / "copy.history.jsonl").write_bytes((folder / "a.history.jsonl").read_bytes())
    (folder / "copy.questions.jsonl").write_bytes((folder / "a.questions.jsonl").read_bytes())
    with pytest.raises(UserError, match=r"a\.history and copy\.history hold the same records"):
        load_data(study(folder, entry("a"), entry("copy")))


def test_a_filter_that_leaves_nothing_is_told(folder):
    with pytest.raises(UserError, match="no question has type"):
        load_data(study(folder, entry("a", ", where: {type: nothing}")))


def test_a_study_runs_on_real_files_and_its_designs_are_scored_alike(folder):
    extra = "budget: {trials: 2}\nproposer: {op: sampler}\ncontext_budget: 12\n"
    file = study(folder, entry("a"), entry("b"), entry("c"), extra=extra)
    opened, _ = open_study(file, load_all())
    assert opened.split.by == "history"
    outcome = opened.run()
    assert outcome.scored == 2
    assert outcome.base < 1
    again, _ = open_study(file, load_all())
    assert again.evaluator.fingerprints == opened.evaluator.fingerprints
    assert [r.to_json() | {"seconds": 0} for r in again.evaluator.evaluate(again.base, "validation")] == [
        r.to_json() | {"seconds": 0} for r in opened.evaluator.evaluate(opened.base, "validation")
    ]


def test_fingerprints_change_with_the_data(folder):
    before = open_study(study(folder, entry("a")), load_all())[0].evaluator.fingerprints
    write_history(folder, "a", count=13)
    after = open_study(study(folder, entry("a")), load_all())[0].evaluator.fingerprints
    assert {key for key in before if before[key] != after[key]} == {"history", "questions"}


def test_accuracy_asks_for_answers_and_evidence_does_not(folder):
    covered = open_study(study(folder, entry("a")), load_all())[0]
    answered = open_study(study(folder, entry("a"), extra="objective: accuracy\n"), load_all())[0]
    assert covered.evaluator.evaluate(covered.base, "validation")[0].answer is None
    assert answered.evaluator.evaluate(answered.base, "validation")[0].correct is not None


def test_a_base_from_a_study_that_is_not_there_is_told(folder, monkeypatch):
    monkeypatch.chdir(folder)
    file = study(folder, entry("a"))
    object.__setattr__(file, "shape", file.shape.model_copy(update={"base": "other@best"}))
    with pytest.raises(UserError, match="there is no such study"):
        open_base(file, load_all())


def test_a_fork_has_a_run_folder_of_its_own_and_keeps_a_database(folder):
    assert forked(study(folder, entry("a")), "next").run_folder == folder / "runs/next"
    beside = study(folder, entry("a"), extra="storage: ledgers/own.log\n")
    assert forked(beside, "next").run_folder == folder / "runs/next"
    database = study(folder, entry("a"), extra="storage: sqlite:///all.db\n")
    assert forked(database, "next").storage == database.storage
    for name in ("s", "", "a b", "../x"):
        with pytest.raises(UserError, match="--fork"):
            forked(database, name)


def test_paths_are_relative_to_the_study_file_wherever_it_is_run(folder, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    file = study(folder, entry("a"), extra="budget: {trials: 1}\n")
    opened, _ = open_study(file, load_all())
    opened.run()
    assert (folder / "runs/s/manifest.json").exists()
    assert list(Path.cwd().iterdir()) == []


LEARNED = """\
version: 1
retrieval:
  - {op: policy, policy: learned, weights: made/w.json, rest: true, search: [{op: bm25, k: 20}]}
"""


def test_every_design_that_a_study_writes_names_its_files_from_where_it_stands(folder):
    (folder / "base.yaml").write_text(LEARNED, encoding="utf-8")
    (folder / "made").mkdir()
    (folder / "made" / "w.json").write_text(Weights(50, {"bm25": 1.0}).text(), encoding="utf-8")
    settings = "budget: {trials: 4}\ncontext_budget: 20\nobjective: evidence_recall\n"
    asked = study(folder, entry("a"), extra=settings + "proposer: {op: sampler}\naccept: {op: strict}\n")
    assert open_study(asked, load_all())[0].run().accepted == 1
    run = RunFolder(asked.run_folder)
    written = [*run.root.glob("trials/*/design.yaml"), *run.root.glob("revisions/*.yaml")]
    assert len(written) == 4
    for path in written:
        design = load_design_file(path, load_all())
        known = read_json(path.parent / "proposal.json")
        assert design.hash == (known["design_hash"] if known else path.stem.partition("-")[2])
        if "policy" in path.read_text(encoding="utf-8"):
            assert [file.resolve() for file in named_files(design)] == [folder / "made" / "w.json"]
