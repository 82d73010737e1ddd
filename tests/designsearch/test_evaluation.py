"""Designs measured with models that answer and judge, and how that is shown."""

import json

import pytest
from model_fakes import ScriptedModel, failing
from small_world import DESIGN

from designsearch.cli.eval_tables import as_json, show
from designsearch.cli.output import Output
from designsearch.dsl.validate import load_design
from designsearch.evaluation import judging, labels, measure_all
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Evidence, Question, Record
from designsearch.search.evaluate import Runner, Task
from designsearch.search.judge import Judge

QUESTIONS = (
    Question("socks", "How many socks?", 3, "number", type="count", evidence=(Evidence("m1"),)),
    Question("why", "Why did Miso eat them?", "out of boredom", type="reason"),
    Question("cat", "What is the cat called?", answerable=False, type="abstain"),
)
RECORDS = (Record("m1", "Miso ate 3 socks today.", "2025-03-09", author="Ida"),)


@pytest.fixture
def tasks():
    return [Task(Dataset("h", RECORDS, QUESTIONS), QUESTIONS)]


def answers(request):
    """Right by rule, for the judge, failed in its second repetition."""
    text = request.messages[-1].content
    if "How many" in text:
        return "3"
    if "Why" in text:
        return "Miso was bored" if request.replicate == 0 else Reply(failure="truncated", detail="at 9 tokens", calls=1)
    return "NO ANSWER"


def right(request):
    return {"reason": "", "verdict": "correct"}


def setting(runner):
    return {
        "histories": {"h": {"records": 1, "questions": 3}},
        "questions": 3,
        "context_budget": 4000,
        "history_view": "all",
        "answerer": runner.answerer.name,
        "replicates": runner.answerer.replicates,
    }


def measured(tasks, judge, **more):
    runner = Runner(answerer=ModelAnswerer(ScriptedModel(answers), 2), judge=judge)
    rows = measure_all([load_design(DESIGN, "d.yaml", load_all())], tasks, runner, **more)
    return rows, judging(rows, tasks, runner), runner


def test_what_models_answered_and_judged_is_shown(tasks, golden, capsys):
    rows, judge, runner = measured(tasks, Judge(ScriptedModel(right), 2))
    show(rows, setting(runner), judge, Output())
    golden("eval_models", capsys.readouterr().out, timed=True)


def test_in_json(tasks):
    rows, judge, runner = measured(tasks, Judge(ScriptedModel(right), 2), references=False)
    found = json.loads(json.dumps(as_json(rows, setting(runner), judge), allow_nan=False))
    assert found["judge"] == {
        "name": "scripted",
        "verdicts": 1,
        "unmeasured": 0,
        "typed_equality": {"asked": 1, "agreed": 1},
        "replicates_agree": 1.0,
    }
    assert found["setting"]["replicates"] == 2
    report = found["rows"][0]["report"]
    assert (report["questions"], report["errors"], report["calls"]) == (3, 1, 6)
    assert report["metrics"]["accuracy"]["mean"] == 1.0


def test_a_judge_that_fails_is_not_measured_and_said_to(tasks, capsys):
    rows, judge, runner = measured(tasks, Judge(ScriptedModel(failing)), references=False)
    accuracy = rows[0].report.metrics["accuracy"]
    assert (accuracy.count, accuracy.mean, [str(key) for key in accuracy.unmeasured]) == (2, 1.0, ["h/why"])
    show(rows, setting(runner), judge, Output())
    shown = capsys.readouterr().out
    assert "words: accuracy is measured on 2 of 3 questions\n" in shown
    assert "words: 2 answers could not be measured (judge: invalid: no JSON in the reply)\n" in shown
    assert shown.endswith("judge scripted: 0 verdicts, 1 not measured\n")


def test_without_a_judge_nothing_is_said_of_one(tasks, capsys):
    rows, judge, runner = measured(tasks, None, references=False)
    assert judge is None
    assert as_json(rows, setting(runner), judge)["judge"] is None
    show(rows, setting(runner), judge, Output())
    assert "judge scripted" not in capsys.readouterr().out


def test_a_design_of_a_study_is_called_what_the_user_calls_it():
    files = ("a/words.yaml", "berlin@best", "runs/studies/berlin.yaml@2")
    found = labels([load_design(DESIGN, file, load_all()) for file in files])
    assert found == ["words", "berlin@best", "berlin@2"]
