"""What memory policies did on many questions, added up and shown by eval and diagnose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_world import DESIGN, HISTORY

from designsearch.dsl.validate import load_design
from designsearch.play import play_figures, plays
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Evidence, Question, Record
from designsearch.search.evaluate import Runner, Task

POLICY = DESIGN.replace("{op: bm25, k: 50}", "{op: policy, max_steps: 2, search: [{op: bm25, k: 2}]}")
QUESTIONS = (
    Question("socks", "How many socks did Miso eat?", 3, "number", evidence=(Evidence("m4"), Evidence("m5"))),
    Question("rent", "Which rent?", answerable=False),
)


@pytest.fixture
def passes():
    task = Task(Dataset("h", tuple(Record(**one) for one in HISTORY), QUESTIONS), QUESTIONS)
    design = load_design(POLICY, "d.yaml", load_all())
    return Runner().passes(design, task, range(len(QUESTIONS)))


def test_episodes_of_all_questions_stand_by_question(passes):
    found = list(plays(passes))
    assert [(play.stage, play.key.question_id) for play in found] == [
        ("retrieval[0]", "socks"),
        ("retrieval[0]", "rent"),
    ]
    assert [step.action for step in found[0].steps] == ["search", "add", "stop"]
    assert found[0].to_json()["steps"][1]["records"] == (("m4",), ("m3",))


def test_figures_are_means_and_evidence_counts_where_there_is_any(passes):
    (found,) = play_figures(list(plays(passes)))
    assert found.episodes == 2
    assert found.actions == {"search": 1.0, "add": 1.0, "skip": 0.0, "stop": 1.0}
    assert found.notes == 1.5  # two about the dog, one about the rent
    assert found.forced == 0
    assert found.observed > 0
    # one of two records, and the question without evidence does not count
    assert (found.found, found.noted) == (0.5, 0.5)
    assert found.to_json()["evidence_found"] == 0.5


def test_a_design_without_a_policy_has_none(passes):
    task = passes[0].task
    assert list(plays(Runner().passes(load_design(DESIGN, "d.yaml", load_all()), task, [0]))) == []
    assert play_figures([]) == []


def written(search="{op: bm25, k: 50}"):
    text = Path("design.yaml").read_text(encoding="utf-8")
    policy = f"{{op: policy, max_steps: 2, search: [{search}]}}"
    Path("policy.yaml").write_text(text.replace("{op: bm25, k: 50}", policy), encoding="utf-8")
    return ("policy.yaml", "--history", "history.jsonl", "--questions", "questions.jsonl")


def test_eval_shows_what_a_policy_did_and_writes_its_steps(command):
    done = command("eval", *written(), "--no-references", "--out", "results.jsonl")
    rows = [line.split() for line in done.out.splitlines()]
    (row,) = [row for row in rows if "retrieval[0]" in row]
    assert row[:6] == ["words", "retrieval[0]", "1.00", "1.00", "0.00", "1.00"]
    assert row[-4:-1] == ["1.000", "1.000", "1.000"]
    lines = [json.loads(line) for line in Path("results.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [[step["action"] for step in line["episodes"][0]["steps"]] for line in lines] == 3 * [
        ["search", "add", "stop"]
    ]
    found = command("eval", *written(), "--no-references", "--json").json["rows"][0]["policies"]
    assert [one["stage"] for one in found] == ["retrieval[0]"]
    assert "policies" not in command("eval", "design.yaml", *written()[1:], "--json").json["rows"][0]


def test_diagnose_shows_the_steps_of_what_failed(command):
    found = command("diagnose", *written("{op: recent, k: 1}"), "--examples", "1")
    assert "policy     1 search 1 unit: question: When does the ferry leave?" in found.out
    assert f"{'':13}2 add 1 unit" in found.out
    assert "policy     1 search 1 unit: question: How many" not in found.out
    failures = command("diagnose", *written("{op: recent, k: 1}"), "--json").json["failures"]
    assert [[step["action"] for step in one["episodes"][0]["steps"]] for one in failures] == 2 * [
        ["search", "add", "stop"]
    ]
