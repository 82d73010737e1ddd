"""Studies whose questions are made from their histories: once, in parts that are the study's shares, on its books."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from model_stub import Stub

from designsearch.cli.app import run as run_command
from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError
from designsearch.runtime.histories.writing import history_text
from designsearch.runtime.models.books.tallies import read_spending
from designsearch.runtime.operators import load_all
from designsearch.search import study_supply
from designsearch.search.at_work import at_work
from designsearch.search.events import silent
from designsearch.search.study_file import parse_study
from designsearch.search.study_setup import idle_roles, prepare
from designsearch.search.study_supply import supplier
from designsearch.search.supply_forecast import pending, plan

sys.path.insert(0, str(Path(__file__).parent / "supervision"))  # for the scripted roles

from supervision_fakes import ScriptedGenerator, cast_of, direct_planner, lively_history

GENERATED = "questions: {generate: {count: 40}}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(study_supply, "make_cast", lambda *_: cast_of())
    for number in range(3):
        history = lively_history(420, seed=number)
        text = history_text(history.record(row) for row in range(len(history)))
        (tmp_path / f"h{number}.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "base.yaml").write_text("version: 1\nretrieval: [{op: bm25, k: 5}]\n", encoding="utf-8")
    return tmp_path


def file_in(folder, *entries, extra=""):
    data = "".join(f"  - {{{entry}}}\n" for entry in entries)
    text = (
        f"version: 1\nstudy: demo\ndata:\n{data}base: base.yaml\nobjective: evidence_coverage\ncontext_budget: 300\n"
        f"proposer: {{op: sampler}}\nseed: 3\n" + (extra or "budget: {trials: 2}\n")
    )
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    return parse_study(text, folder / "study.yaml")


def supplied(file, listen=silent):
    with supplier(file, listen) as supply:
        return prepare(file, load_all(), supply)


def sizes(split):
    return {part: split.size(part) for part in ("train", "validation", "confirm", "locked")}


def test_the_parts_of_the_history_are_the_shares_of_the_study(folder):
    said = []
    prepared = supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}"), said.append)
    assert sizes(prepared.split) == {"train": 20, "validation": 12, "confirm": 0, "locked": 8}
    [task] = prepared.data.tasks
    by_id = {question.id: question for question in task.questions}
    evidence = [
        {one.record for key in prepared.split.keys(part) for one in by_id[key.question_id].evidence}
        for part in ("train", "validation", "locked")
    ]
    assert not evidence[0] & evidence[1] | evidence[0] & evidence[2] | evidence[1] & evidence[2]
    assert said[0].text == (
        f"h0: 40 questions generated (train 20, validation 12, locked 8); see {folder}/runs/demo/supervision/h0"
    )
    assert "divided by the parts of the histories that questions are made from" in prepared.split.lines()


def test_they_are_made_once_and_the_study_runs_on_them(folder, monkeypatch):
    file = file_in(folder, f"history: h0.jsonl, {GENERATED}")
    first = supplied(file)
    monkeypatch.setattr(study_supply, "make_cast", None)
    again = supplied(file)
    assert again.data.tasks[0].questions == first.data.tasks[0].questions
    with at_work(again, silent) as study:
        outcome = study.go_on()
    assert outcome.scored == 2
    with at_work(prepare(file, load_all()), silent) as study:
        assert study.go_on().scored == 2


def test_other_settings_are_refused_with_a_way_out(folder):
    supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}"))
    with pytest.raises(CannotContinueError) as caught:
        supplied(file_in(folder, "history: h0.jsonl, questions: {generate: {count: 41, hops: 2}}"))
    assert str(caught.value).split("\n")[1:] == [
        "  settings.count: was 40, is 41",
        "  settings.hops: was 3, is 2",
        "put it back as it was, or start a run of its own with --fork NAME",
    ]


def test_questions_that_are_not_there_yet_are_told(folder):
    with pytest.raises(CannotContinueError, match="the questions about h0 are not generated yet; designsearch run"):
        prepare(file_in(folder, f"history: h0.jsonl, {GENERATED}"), load_all())


def test_three_histories_are_kept_whole_and_not_divided(folder):
    prepared = supplied(file_in(folder, *(f"history: h{i}.jsonl, {GENERATED}" for i in range(3))))
    assert prepared.split.by == "history"
    assert sizes(prepared.split) == {"train": 40, "validation": 40, "confirm": 0, "locked": 40}
    assert (folder / "runs/demo/supervision/h1/all.jsonl").exists()


def test_a_locked_history_is_locked_as_a_whole(folder):
    prepared = supplied(
        file_in(folder, f"history: h0.jsonl, {GENERATED}", f"history: h1.jsonl, {GENERATED}, split: locked")
    )
    assert prepared.split.histories("locked") == ["h0", "h1"]
    assert sizes(prepared.split) == {"train": 20, "validation": 12, "confirm": 0, "locked": 48}


def test_confirmation_has_a_part_of_its_own(folder):
    extra = "split: {train: 0.4, validation: 0.3, locked: 0.2, confirm: 0.1}\naccept: {op: confirm}\n"
    prepared = supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}", extra=extra))
    assert sizes(prepared.split) == {"train": 16, "validation": 12, "confirm": 4, "locked": 8}


def test_a_folder_of_generated_questions_gives_its_parts(folder, monkeypatch):
    made = supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}"))
    (folder / "runs/demo/supervision/h0").rename(folder / "made")
    prepared = prepare(file_in(folder, "history: h0.jsonl, questions: made"), load_all())
    assert prepared.split.part_of == made.split.part_of
    extra = "split: {train: 0.6, validation: 0.4, locked: 0}\n"
    fewer = prepare(file_in(folder, "history: h0.jsonl, questions: made", extra=extra), load_all())
    assert sizes(fewer.split) == {"train": 20, "validation": 12, "confirm": 0, "locked": 0}
    assert "h0: 8 questions are of parts that the study has no share for: left out" in fewer.data.notes


def test_filters_hold_for_generated_questions_too(folder):
    prepared = supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}, where: {{answerable: true}}"))
    assert all(question.answerable for question in prepared.data.tasks[0].questions)
    assert 30 <= len(prepared.data.tasks[0].questions) < 40


def test_the_seed_is_the_studys_unless_one_is_named(folder):
    [order] = pending(file_in(folder, f"history: h0.jsonl, {GENERATED}"))
    assert order.settings.seed == 3
    [order] = pending(file_in(folder, "history: h0.jsonl, questions: {generate: {seed: 8}}"))
    assert order.settings.seed == 8


def test_a_dry_run_makes_nothing_and_says_what_would_be_made(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    file_in(folder, f"history: h0.jsonl, {GENERATED}")
    assert run_command(["run", "study.yaml", "--dry-run"]) == 0
    assert capsys.readouterr().out == (
        "study demo: its questions would be generated first\n"
        "  40 questions would be generated about h0 (plan, verified), by rules; no call leaves this machine and "
        "nothing is charged\n"
        "  what the rest of the study takes can be told when the questions are there\n"
    )
    assert not (folder / "runs").exists()


def test_the_command_shows_how_far_it_is_and_the_note_about_the_history(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    file_in(folder, f"history: h0.jsonl, {GENERATED}")
    assert run_command(["run", "study.yaml"]) == 0
    shown = capsys.readouterr()
    assert "h0: from this history questions, answers and quoted passages are made" in shown.err
    assert "h0: 40 of 40 kept (" in shown.err
    assert "2 scored" in shown.out
    assert "  the questions are generated from the histories, not official\n" in shown.out
    assert run_command(["run", "study.yaml", "--replay"]) == 0
    capsys.readouterr()
    assert run_command(["log", "study.yaml"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "the questions are generated from the histories, not official"


@pytest.mark.parametrize(("given", "made"), [("made", True), ("made/train.jsonl", True), ("mine.jsonl", False)])
def test_questions_that_were_generated_before_are_known_as_such(folder, given, made):
    supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}"))
    (folder / "runs/demo/supervision/h0").rename(folder / "made")
    shutil.copy(folder / "made/train.jsonl", folder / "mine.jsonl")
    prepared = prepare(file_in(folder, f"history: h0.jsonl, questions: {given}"), load_all())
    total = sum(sizes(prepared.split).values())
    assert prepared.split.generated() == (total if made else 0)
    assert ("the questions are generated from the histories, not official" in prepared.split.lines()) == made


def test_some_questions_that_were_generated_are_counted(folder):
    supplied(file_in(folder, f"history: h0.jsonl, {GENERATED}"))
    shutil.copy(folder / "runs/demo/supervision/h0/train.jsonl", folder / "mine.jsonl")
    entries = f"history: h0.jsonl, {GENERATED}", "history: h1.jsonl, questions: mine.jsonl"
    split = supplied(file_in(folder, *entries)).split
    assert split.generated() == 40
    assert "40 of the 60 questions are generated from the histories, not official" in split.lines()


def asking(folder, url, budget, more=""):
    generate = "questions: {generate: {count: 20, generator: direct, verify: false, unanswerable: 0, updated: 0}}"
    price = "price: {input: 1, output: 1}"
    extra = f'models: {{planner: {{model: stub, base_url: "{url}", {price}}}{more}}}\nbudget: {{trials: 1, {budget}}}\n'
    return file_in(folder, f"history: h0.jsonl, {generate}", extra=extra)


def test_models_are_paid_from_the_studys_budget_and_never_twice(folder, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(folder / "cache"))
    with Stub(direct_planner) as stub:
        file = asking(folder, stub.url, "llm_calls: 9")
        with pytest.raises(OutOfBudgetError) as caught:
            supplied(file)
        assert "the questions made so far are kept, and designsearch run goes on from there" in str(caught.value)
        asked = len([one for one in stub.asked if one.path.endswith("completions")])
        assert asked <= 9
        events = []
        prepared = supplied(asking(folder, stub.url, "llm_calls: 200"), events.append)
    assert len(prepared.data.tasks[0].questions) == 20
    calls = folder / "runs/demo/calls.sqlite"
    bodies = [json.dumps(one.body["messages"]) for one in stub.asked if one.path.endswith("completions")]
    assert len(bodies) == len(set(bodies)) == read_spending(calls).calls
    report = json.loads((folder / "runs/demo/supervision/h0/funnel.json").read_text())
    assert report["costs"]["roles"]["planner"]["calls"] == len(bodies)
    assert report["costs"]["calls_per_question"] == len(bodies) / 20
    assert events[0].kind == "models"


def test_what_models_would_be_asked_is_told(folder):
    file = asking(
        folder, "http://127.0.0.1:1/v1", "llm_calls: 99", ', reader: {model: b, base_url: "http://127.0.0.1:1/v1"}'
    )
    lines, costs = plan(file, pending(file))
    assert lines[0] == "20 questions would be generated about h0 (direct, not verified)"
    assert re.fullmatch(
        r"planner \(stub\): at least 20 calls for 20 questions about h0, about [\d,]+ tokens in and 10,000 out, "
        r"\$0\.\d+",
        lines[1],
    )
    assert [one["role"] for one in costs] == ["planner"]
    assert idle_roles(file) == ["models.reader is not asked: generated questions are not verified"]


def test_too_few_questions_for_the_shares_are_refused(folder):
    with pytest.raises(UserError, match="2 questions cannot be divided into 3 parts"):
        supplied(file_in(folder, "history: h0.jsonl, questions: {generate: {count: 2}}"))


def test_interrupted_by_a_cap_the_rest_is_the_same(folder, monkeypatch):
    class Capped(ScriptedGenerator):
        def draft(self, materials):
            if materials[0].ordinal:
                raise OutOfBudgetError("all calls are used")
            return super().draft(materials)

    file = file_in(folder, "history: h0.jsonl, questions: {generate: {count: 60}}")
    monkeypatch.setattr(study_supply, "make_cast", lambda *_: cast_of(Capped()))
    with pytest.raises(OutOfBudgetError):
        supplied(file)
    monkeypatch.setattr(study_supply, "make_cast", lambda *_: cast_of())
    broken = supplied(file).data.tasks[0].questions
    (folder / "runs").rename(folder / "runs-1")
    assert supplied(file).data.tasks[0].questions == broken
