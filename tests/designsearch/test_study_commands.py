"""diff --trajectory, frontier, STUDY@N, on a run folder as a study leaves it."""

import json
from pathlib import Path

import pytest
from small_world import DESIGN

from designsearch import timing
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.contracts import Failure
from designsearch.search.kept_files import write_json, write_text
from designsearch.search.latency import Latency
from designsearch.search.proposers.base import Proposal
from designsearch.search.results import QuestionResult
from designsearch.search.run_folder import RunFolder

STUDY = """\
version: 1
study: ferry
data: [{history: history.jsonl, questions: questions.jsonl}]
base: design.yaml
"""


def results(label, covered, tokens, seconds=0.004, cost=0.0):
    return [
        QuestionResult(
            label,
            f"q{i}",
            "history",
            "?",
            context="text",
            context_tokens=tokens,
            evidence_recall=float(i < covered),
            seconds=seconds,
            cost=cost,
        )
        for i in range(20)
    ]


def keep(files, text, covered, tokens, *, rationale="", parent="", **more):
    design = load_design(text, "design.yaml", load_all())
    about = {"design_hash": design.hash, "parent": parent}
    files.write_proposal(Proposal(text, rationale=rationale, proposer="rules"), about)
    files.write_results(results(design.hash, covered, tokens, **more))
    return design.hash


@pytest.fixture
def run_folder(world):
    """A base, an accepted revision, a rejected one that is shorter, one that crashed."""
    folder = RunFolder(Path("runs/ferry"))
    write_json(folder.manifest, {"study": "ferry", "objective": "evidence_coverage", "seed": 0})
    base = keep(folder.base, DESIGN, covered=8, tokens=400)
    folder.base.write_diagnosis(
        [Failure(f"q{i}", "history", "?", "x", "retrieval", "cut" if i % 2 else "not_retrieved") for i in range(5)]
    )
    wider = DESIGN.replace("k: 20", "k: 40")
    best = keep(folder.trial(0), wider, 16, 400, rationale="more of the ranking fits", parent=base)
    keep(folder.trial(1), DESIGN.replace("k: 20", "k: 2"), 6, 100, rationale="fewer units", parent=best)
    keep(folder.trial(2), DESIGN.replace("k: 20", "k: 3"), 6, 300, rationale="a few units", parent=best)
    folder.trial(3).write_proposal(Proposal(DESIGN.replace("k: 20", "k: 4")), {"design_hash": "x", "parent": best})
    write_text(folder.revision(0, base), DESIGN)
    write_text(folder.revision(1, best), "# revision 1\n" + wider)
    Path("study.yaml").write_text(STUDY, encoding="utf-8")
    return folder


def test_trajectory(run_folder, command, golden):
    done = command("diff", "--trajectory", "ferry")
    assert done.status == 0
    golden("trajectory", done.out)


def test_trajectory_as_json(run_folder, command):
    found = command("diff", "--trajectory", "study.yaml", "--json").json
    assert (found["study"], found["objective"], found["base"]["value"]) == ("ferry", "evidence_coverage", 0.4)
    (revision,) = found["revisions"]
    assert (revision["before"], revision["after"]) == (0.4, 0.8)
    assert (revision["gains"], revision["losses"]) == (8, 0)
    assert revision["p"] == pytest.approx(1 / 256)
    assert revision["failures"] == {"retrieval cut": 2, "retrieval not_retrieved": 3}
    assert revision["changes"] == [{"kind": "changed", "path": "retrieval[1].k", "before": 20, "after": 40}]


def test_frontier(run_folder, command, golden):
    golden("frontier", command("frontier", "runs/ferry").out)
    found = command("frontier", "ferry", "--all", "--json").json
    assert found["scored"] == 4
    assert [(one["trial"], one["on_frontier"]) for one in found["designs"]] == [
        (0, True),
        (None, False),
        (1, True),
        (2, False),
    ]


def test_an_accepted_design_that_was_measured_first_is_not_beaten_by_an_equal_one(run_folder, command):
    best = DESIGN.replace("k: 20", "k: 40")
    keep(run_folder.trial(0), best, 16, 400, rationale="more of the ranking fits", seconds=0.9)
    keep(run_folder.trial(2), best.replace("k: 50", "k: 51"), 16, 400, rationale="the same once more", seconds=0.001)
    found = command("frontier", "ferry", "--json").json["designs"]
    assert [(one["trial"], one["seconds_p50"]) for one in found] == [(0, None), (2, None), (1, None)]


def test_times_are_taken_anew_and_of_all(run_folder, command, monkeypatch):
    asked = []

    def timed(runner, design, tasks):
        asked.append([len(task.questions) for task in tasks])
        seconds = 0.001 if "k: 3}" in design.text else 0.02
        return Latency(1, seconds, seconds)

    monkeypatch.setattr(timing, "latency", timed)
    done = command("frontier", "study.yaml", "--time", "--json").json
    assert asked == [[3]] * 4
    assert [(one["trial"], one["seconds_p50"]) for one in done["designs"]] == [(0, 0.02), (1, 0.02), (2, 0.001)]
    assert "20 ms" in command("frontier", "study.yaml", "--time").out


def test_designs_are_timed_by_questions_that_are_asked_alone(run_folder, command):
    found = command("frontier", "study.yaml", "--time", "--json").json["designs"]
    assert all(0 < one["seconds_p50"] < 10 for one in found)


def test_times_need_the_questions_of_the_study(run_folder, command):
    done = command("frontier", "ferry", "--time")
    assert (done.status, done.out) == (2, "")
    assert "--time asks the study's questions: name its file instead of ferry" in done.err


def test_designs_that_need_a_model_are_not_timed(run_folder, command):
    hyde = DESIGN.replace("retrieval:", "retrieval:\n  - {op: hyde}").replace("op: bm25", "op: dense")
    keep(run_folder.trial(4), hyde, 17, 400, rationale="a passage")
    found = command("frontier", "study.yaml", "--time", "--json").json["designs"]
    assert [(one["trial"], one["calls"], one["seconds_p50"] is None) for one in found[:2]] == [
        (4, 1, True),
        (0, 0, False),
    ]


def test_designs_of_a_study(run_folder, command):
    assert command("diff", "ferry@base", "study.yaml@best") == (1, "retrieval[1].k: 20 -> 40\n", "")
    assert command("diff", "runs/ferry@1", "ferry@best").status == 0
    assert command("diff", "ferry@0", "design.yaml").status == 0
    assert command("ask", "ferry@best", "--history", "history.jsonl", "-q", "How many socks did Miso eat?").out == "3\n"


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("ferry@2", "ferry@2: there is no revision 2; runs/ferry holds 0 to 1"),
        ("fery@best", "fery: there is no such study: no study file, no run folder, no name under runs/ (did you mean"),
        ("runs@best", "runs: is a folder without a run"),
        ("other.yaml@best", "other.yaml: has not been run; designsearch run other.yaml does it"),
        ("design.yaml@best", "design.yaml:"),
    ],
)
def test_designs_that_are_not_there(ref, said, run_folder, command):
    Path("other.yaml").write_text(STUDY.replace("ferry", "other"), encoding="utf-8")
    done = command("diff", "design.yaml", ref)
    assert done.status == 2
    assert said in done.err


def test_a_file_comes_before_a_study(run_folder, command):
    Path("ferry@best").write_text(DESIGN, encoding="utf-8")
    assert command("diff", "design.yaml", "ferry@best").status == 0


def test_a_study_without_results(run_folder, command):
    for path in Path("runs/ferry/trials").glob("*/results.jsonl"):
        path.unlink()
    done = command("frontier", "ferry")
    assert done == (4, "", "runs/ferry: nothing has been scored yet\n")


def test_a_damaged_file(run_folder, command):
    Path("runs/ferry/trials/000/results.jsonl").write_text(json.dumps({"design": "x"})[:-3], encoding="utf-8")
    done = command("frontier", "ferry")
    assert done.status == 4
    assert "results.jsonl: is damaged" in done.err
