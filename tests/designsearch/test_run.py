"""The commands run, log and export, as a user meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from designsearch.cli.app import run as designsearch

EXAMPLES = Path(__file__).parents[2] / "examples"
BASE = Path(__file__).parents[2] / "designs" / "baselines" / "bm25.yaml"

STUDY = """\
version: 1
study: small
data:
  - {{history: "{examples}/history.jsonl", format: jsonl, questions: "{examples}/questions.jsonl"}}
base: base.yaml
context_budget: 600
objective: evidence_coverage
proposer: {{op: {proposer}}}
budget: {{trials: {trials}}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "base.yaml").write_bytes(BASE.read_bytes())
    write_study(tmp_path)
    return tmp_path


def write_study(folder, trials=3, proposer="rules", extra=""):
    text = STUDY.format(examples=EXAMPLES.as_posix(), trials=trials, proposer=proposer) + extra
    (folder / "study.yaml").write_text(text, encoding="utf-8")


def output(capsys) -> str:
    return capsys.readouterr().out


def test_a_study_runs_is_logged_and_its_best_design_exported(folder, capsys):
    assert designsearch(["run", "study.yaml"]) == 0
    said = output(capsys)
    assert said.startswith("study small: evidence_coverage, base 0.")
    assert "smallest gain it can detect on" in said
    assert "stopped: all 3 trials are used. 3 scored" in said

    assert designsearch(["log", "small", "--json"]) == 0
    log = json.loads(output(capsys))
    assert len(log["rows"]) == 3
    assert log["rows"][0]["proposer"] == "rules"

    assert designsearch(["log", "study.yaml"]) == 0
    shown = output(capsys).splitlines()
    assert shown[2].split() == [
        "trial", "rev", "decision", "score", "gain", "+", "-", "p", "answers", "tokens", "design", "why",
    ]  # fmt: skip
    assert shown[4].startswith("base")
    assert "3 scored" in "\n".join(shown)

    assert designsearch(["export", "small@best", "-o", "best.yaml"]) == 0
    assert designsearch(["validate", "best.yaml"]) == 0
    assert designsearch(["export", "small@best", "-o", "best.yaml"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert designsearch(["export", "small@best", "-o", "best.yaml", "--force"]) == 0
    output(capsys)
    assert designsearch(["export", "small@0"]) == 0
    assert "# revision 0 of study small: the base" in output(capsys)


def test_a_run_that_is_done_says_so_again(folder, capsys):
    assert designsearch(["run", "study.yaml", "--json"]) == 0
    first = json.loads(output(capsys))
    assert designsearch(["run", "study.yaml", "--json"]) == 0
    again = json.loads(output(capsys))
    assert again == first
    assert first["reason"] == "trials"
    assert first["scored"] == 3


def test_a_dry_run_writes_nothing(folder, capsys):
    before = set(folder.iterdir())
    assert designsearch(["run", "study.yaml", "--dry-run"]) == 0
    said = output(capsys)
    assert "this would run" in said
    assert "at most 3 trials: " in said
    assert "smallest gain it can detect" in said
    assert {path for path in folder.iterdir() if path.name != "cache"} == before
    assert designsearch(["run", "study.yaml", "--dry-run", "--json"]) == 0
    found = json.loads(output(capsys))
    assert set(found["questions"]) == {"train", "validation", "locked"}
    assert found["state"] == "new"


def test_a_dry_run_of_a_study_that_is_done_says_that_nothing_would_run(folder, capsys):
    assert designsearch(["run", "study.yaml"]) == 0
    output(capsys)
    assert designsearch(["run", "study.yaml", "--dry-run"]) == 0
    head, *lines = output(capsys).splitlines()
    assert head.endswith(": it is finished, nothing would run")
    assert len(lines) == 1
    assert lines[0].startswith("  3 scored, ")
    assert lines[0].endswith("; all 3 trials are used")
    write_study(folder, trials=5)
    assert designsearch(["run", "study.yaml", "--dry-run", "--json"]) == 0
    found = json.loads(output(capsys))
    assert found["state"] == "begun"
    assert found["plan"][0].endswith("; 2 more may be scored")
    assert any(line.startswith("at most 5 trials: ") for line in found["plan"])
    write_study(folder, extra="seed: 5\n")
    assert designsearch(["run", "study.yaml", "--dry-run"]) == 4
    assert "seed: was 0, is 5" in capsys.readouterr().err


def test_a_changed_study_is_refused_and_forked(folder, capsys):
    assert designsearch(["run", "study.yaml"]) == 0
    write_study(folder, extra="seed: 5\n")
    assert designsearch(["run", "study.yaml"]) == 4
    assert "seed: was 0, is 5" in capsys.readouterr().err
    assert designsearch(["run", "study.yaml", "--fork", "other"]) == 0
    assert (folder / "runs/other/manifest.json").exists()
    assert designsearch(["run", "study.yaml", "--fork", "small"]) == 2
    assert designsearch(["run", "study.yaml", "--fork", "a/b"]) == 2


def test_mistakes_in_a_study_have_status_2_and_no_traceback(folder, capsys):
    write_study(folder, trials=0, proposer="ruels")
    assert designsearch(["run", "study.yaml"]) == 2
    said = capsys.readouterr().err
    assert "study.yaml:8:16: proposer.op: unknown proposer ruels (did you mean rules?)" in said
    assert "study.yaml:9:18: budget.trials: must be at least 1; got 0" in said
    assert "Traceback" not in said


def test_mistakes_in_the_base_are_told_with_their_place(folder, capsys):
    (folder / "base.yaml").write_text("version: 1\nretrieval: [{op: bm52}]\n", encoding="utf-8")
    assert designsearch(["run", "study.yaml"]) == 2
    assert "base.yaml:2:18: retrieval[0].op: unknown operator bm52 (did you mean bm25?)" in capsys.readouterr().err


def test_a_study_that_was_not_run_has_no_log(folder, capsys):
    assert designsearch(["log", "study.yaml"]) == 2
    assert "has not been run; designsearch run study.yaml does it" in capsys.readouterr().err
    assert designsearch(["export", "nothing@best"]) == 2


def test_a_cap_on_time_has_status_3(folder, capsys):
    write_study(folder, trials=500, proposer="mixed")
    text = (folder / "study.yaml").read_text().replace("{trials: 500}", "{trials: 500, minutes: 0.0001}")
    (folder / "study.yaml").write_text(text)
    assert designsearch(["run", "study.yaml"]) == 3
    assert "minutes are used" in output(capsys)


def test_the_best_design_of_a_study_is_the_base_of_another(folder, capsys):
    write_study(folder, extra="accept: {op: strict}\n")
    assert designsearch(["run", "study.yaml", "--json"]) == 0
    first = json.loads(output(capsys))
    assert first["accepted"] >= 1
    text = (folder / "study.yaml").read_text().replace("base: base.yaml", "base: small@best")
    (folder / "next.yaml").write_text(text.replace("study: small", "study: next"))
    assert designsearch(["run", "next.yaml", "--json"]) == 0
    assert json.loads(output(capsys))["base"] == first["best"]
    assert json.loads((folder / "runs/next/manifest.json").read_text())["base"] == first["best_hash"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT for one process")
def test_ctrl_c_has_status_130(folder):
    write_study(folder, trials=2000, proposer="sampler")
    environment = os.environ | {"PYTHONPATH": ""}
    process = subprocess.Popen(
        [sys.executable, "-m", "designsearch", "run", "study.yaml"],
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        # tests that run in the background ignore SIGINT, and children would inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    journal = folder / "runs/small/journal.log"
    end = time.monotonic() + 60
    while not (journal.exists() and journal.stat().st_size > 4000) and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert said.endswith(
        "all that was measured and paid for is kept, and designsearch run goes on from there\ninterrupted\n"
    )
    assert "Traceback" not in said
