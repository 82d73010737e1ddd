"""A study that is killed at any moment ends as one that was not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from killing import killings, needs_fork
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


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_study_equals_an_uninterrupted_one(tmp_path, seed):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    expected = study_in(whole).run()
    assert expected.accepted >= 2

    journal = broken / "runs/demo/journal.log"
    killed = sum(killings(lambda: study_in(broken, seconds=0.003).run(), journal, random.Random(seed), most=25_000))
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
