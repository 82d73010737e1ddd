"""A study that is killed at any moment ends as one that was not."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest
from study_fakes import FakeEvaluator, make_study

from designsearch.search.ledger import Ledger
from designsearch.search.proposers.mixed import MixedProposer
from designsearch.search.proposers.rules import RulesProposer
from designsearch.search.proposers.sampler import SamplerProposer

EXTRA = "budget: {trials: 14}\naccept: {op: paired, alpha: 0.3}\nseed: 5\n"


def study_in(folder: Path, seconds: float = 0.0):
    proposer = MixedProposer([RulesProposer(), SamplerProposer()])
    return make_study(folder, EXTRA, FakeEvaluator(seconds=seconds), proposer)


def trajectory(folder: Path) -> list[tuple]:
    """All that was decided, in order: interrupted trials are no decisions."""
    ledger = Ledger(str(folder / "runs/demo/journal.log"), "demo", "evidence_recall", print)
    keys = ("ordinal", "proposer", "parent", "design_hash", "gain", "gains", "losses", "p", "reason", "revision")
    return [
        (entry.decision, entry.scored, entry.value, *(entry.attrs.get(key) for key in keys), dict(entry.params))
        for entry in ledger.entries()
        if entry.decision != "interrupted"
    ]


def revisions(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "runs/demo/revisions").iterdir())


def start(folder: Path) -> int:
    """A process of its own that runs the study."""
    pid = os.fork()
    if pid == 0:
        try:
            study_in(folder, seconds=0.003).run()
        finally:
            os._exit(0)
    return pid


def kill_when_grown(pid: int, journal: Path, size: int) -> bool:
    """Kill the process once the journal has reached a size; whether it was still running."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return False
        if journal.exists() and journal.stat().st_size >= size:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return True
        time.sleep(0.0003)
    pytest.fail("the study did not get on")


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_study_equals_an_uninterrupted_one(tmp_path, seed):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    expected = study_in(whole).run()
    assert expected.accepted >= 2

    draw = random.Random(seed)
    journal, killed = broken / "runs/demo/journal.log", 0
    while True:
        size = journal.stat().st_size if journal.exists() else 0
        pid = start(broken)
        if not kill_when_grown(pid, journal, size + draw.randint(1, 25_000)):
            break
        killed += 1
    assert killed >= 5

    again = study_in(broken).run()
    assert trajectory(broken) == trajectory(whole)
    assert revisions(broken) == revisions(whole)
    assert (again.scored, again.accepted, again.best, again.best_hash) == (
        expected.scored, expected.accepted, expected.best, expected.best_hash,
    )  # fmt: skip
    assert again.interrupted >= 1
    claim = json.loads((broken / "runs/demo/claim.json").read_text())
    assert claim == json.loads((whole / "runs/demo/claim.json").read_text())
