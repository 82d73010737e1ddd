"""supervise: what is written, shown and refused; the roles are scripted."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from model_stub import Stub
from small_world import write_lines

from designsearch import supervising
from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.histories.writing import record_row
from designsearch.search.supervision.roles import make_cast

sys.path.insert(0, str(Path(__file__).parents[1] / "search" / "supervision"))  # for the scripted roles

from supervision_fakes import ScriptedGenerator, cast_of, direct_planner, lively_history

HISTORY = lively_history(420)


@pytest.fixture
def chats(world, monkeypatch):
    """A history to make questions from, and who makes them."""
    write_lines("chats.jsonl", (record_row(HISTORY.record(row)) for row in range(len(HISTORY))))
    monkeypatch.setattr(supervising, "make_cast", lambda *_: cast_of())
    return world


def test_a_folder_of_questions_and_its_account(command, chats, golden):
    done = command("supervise", "chats.jsonl", "-o", "out", "--count", "40", "--seed", "3")
    assert done.status == 0
    golden("supervise", done.out + done.err)
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "consent.jsonl", "funnel.json", "items.jsonl", "locked.jsonl", "manifest.json", "rejected.jsonl", "run.lock",
        "train.jsonl", "validation.jsonl",
    ]  # fmt: skip


def test_its_files_are_read_by_eval(command, chats):
    command("supervise", "chats.jsonl", "-o", "out", "--count", "40", "--asked", "end")
    done = command("eval", "design.yaml", "--history", "chats.jsonl", "--questions", "out/train.jsonl", "--json")
    assert done.status == 0
    assert done.json["setting"]["questions"] == 20


def test_a_used_folder_needs_resume(command, chats, golden):
    first = command("supervise", "chats.jsonl", "-o", "out", "--count", "40", "--json")
    refused = command("supervise", "chats.jsonl", "-o", "out", "--count", "40")
    changed = command("supervise", "chats.jsonl", "-o", "out", "--count", "41", "--resume")
    assert (refused.status, changed.status) == (2, 4)
    golden("supervise_refused", refused.err + changed.err)
    again = command("supervise", "chats.jsonl", "-o", "out", "--count", "40", "--resume", "--json")
    assert again.json == first.json
    assert first.json["chats"]["steps"]["kept"] == 40


def test_exports(command, chats):
    made = command(
        "supervise", "chats.jsonl", "-o", "out", "--count", "40", "--export", "all.jsonl", "--pairs", "pairs.jsonl"
    )
    assert made.status == 0
    lines = [json.loads(line) for line in Path("all.jsonl").read_text().splitlines()]
    assert len(lines) == 32
    assert {line["history"] for line in lines} == {"chats"}
    again = command("supervise", "chats.jsonl", "-o", "other", "--count", "40", "--pairs", "pairs.jsonl")
    assert (again.status, again.err.splitlines()[-1]) == (
        2, "pairs.jsonl: exists already and is not overwritten; name another file",
    )  # fmt: skip


def test_an_export_never_replaces_another_file(command, chats, golden):
    words = ("supervise", "chats.jsonl", "-o", "out", "--count", "40", "-q")
    twice = command(*words, "--export", "one.jsonl", "--pairs", "./one.jsonl")
    assert not Path("out").exists()
    first = command(*words, "--export", "all.jsonl")
    assert command(*words, "--export", "all.jsonl", "--resume").status == 0
    before = {path: path.read_bytes() for path in (Path("chats.jsonl"), Path("out/train.jsonl"))}
    refused = [command(*words, "--resume", "--export", str(path)) for path in before]
    assert (first.status, twice.status, *(one.status for one in refused)) == (0, 2, 2, 2)
    assert {path: path.read_bytes() for path in before} == before
    golden("supervise_exports_refused", twice.err + "".join(one.err for one in refused))


@pytest.mark.parametrize("name", ["rejected.jsonl", "funnel.json", "items.jsonl", "train.jsonl"])
def test_a_file_of_somebody_else_is_not_replaced(command, chats, name):
    Path("out").mkdir()
    Path("chats.jsonl").rename(f"out/{name}")
    done = command("supervise", f"out/{name}", "-o", "out", "--format", "jsonl", "--count", "40")
    assert done.status == 2
    assert f"out/{name}: exists already and is not overwritten; name another folder" in done.err
    assert len(Path(f"out/{name}").read_text(encoding="utf-8").splitlines()) == len(HISTORY)


def test_fewer_than_asked_for_is_told(command, chats, golden):
    write_lines("few.jsonl", (record_row(HISTORY.record(row)) for row in range(40)))
    done = command("supervise", "few.jsonl", "-o", "out", "--count", "40", "-q")
    assert done.status == 0
    golden("supervise_fewer", done.err.partition("shown once.)\n")[2])


def test_options_that_cannot_be(command, chats, golden):
    told = [
        command("supervise", "chats.jsonl", "-o", "out", *words).err
        for words in (
            ("--count", "0"), ("--generator", "plam"), ("--seed", "x"), ("--unanswerable", "2"), ("--hops", "2.5"),
            ("--count", "2"), ("--roles", "bot"),
        )
    ]  # fmt: skip
    golden("supervise_options", "".join(told[:6]) + told[6].partition("shown once.)\n")[2])


def test_several_histories_have_a_folder_each(command, chats, monkeypatch):
    write_lines("talks.json", [])
    talks = [
        {
            "sample_id": name,
            "conversation": {
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    {"dia_id": f"D1:{row}", "speaker": "Ana", "text": HISTORY.texts[row]}
                    for row in range(start, start + 140)
                ],
            },
            "qa": [],
        }
        for name, start in (("one", 0), ("two", 150))
    ]
    Path("talks.json").write_text(json.dumps(talks), encoding="utf-8")
    done = command("supervise", "talks.json", "-o", "out", "--count", "12", "--json")
    assert done.status == 0
    assert {name: one["folder"] for name, one in done.json.items()} == {"one": "out/one", "two": "out/two"}
    assert all(one["steps"]["kept"] == 12 for one in done.json.values())
    assert Path("out/two/train.jsonl").exists()


def test_a_cap_ends_it_with_3_and_it_can_be_gone_on_with(command, chats, monkeypatch):
    class Capped(ScriptedGenerator):
        def draft(self, materials):
            if materials[0].ordinal:
                raise OutOfBudgetError("all 10 calls are used")
            return super().draft(materials)

    monkeypatch.setattr(supervising, "make_cast", lambda *_: cast_of(Capped()))
    done = command("supervise", "chats.jsonl", "-o", "out", "--count", "60")
    assert done.status == 3
    assert done.err.splitlines()[-1] == (
        "all 10 calls are used; all that was made is kept: see the budget, and go on with --resume"
    )
    monkeypatch.setattr(supervising, "make_cast", lambda *_: cast_of())
    again = command("supervise", "chats.jsonl", "-o", "out", "--count", "60", "--resume", "--json")
    assert again.json["chats"]["steps"]["kept"] == 60


def test_ctrl_c_keeps_what_is_finished(command, chats, monkeypatch):
    class Interrupted(ScriptedGenerator):
        def draft(self, materials):
            if materials[0].ordinal:
                raise KeyboardInterrupt
            return super().draft(materials)

    monkeypatch.setattr(supervising, "make_cast", lambda *_: cast_of(Interrupted()))
    done = command("supervise", "chats.jsonl", "-o", "out", "--count", "60")
    assert done.status == 130
    assert done.err.splitlines()[-2:] == ["all that was finished is kept; --resume goes on", "interrupted"]
    assert len(Path("out/items.jsonl").read_text().splitlines()) >= 32


def test_the_note_about_the_history_is_shown_once(command, chats):
    first = command("supervise", "chats.jsonl", "-o", "out", "--count", "40", "-q")
    assert first.err.startswith("chats.jsonl: from this history questions, answers and quoted passages are made")
    assert command("supervise", "chats.jsonl", "-o", "other", "--count", "40", "-q").err == ""
    assert len(Path("other/consent.jsonl").read_text().splitlines()) == 1


def test_a_mistake_leaves_nothing_behind_that_is_in_the_way(command, chats):
    assert command("supervise", "chats.jsonl", "-o", "out", "--roles", "bot").status == 2
    assert command("supervise", "chats.jsonl", "-o", "out", "--count", "20").status == 0


def test_not_one_question_is_no_success(command, chats):
    write_lines("blank.jsonl", [{"id": str(i), "text": " "} for i in range(9)])
    done = command("supervise", "blank.jsonl", "-o", "out", "-q")
    assert done.status == 4
    assert "fewer than asked for, train: 0 of 100 questions: the history is used up after 0 bundles" in done.err


def test_models_are_paid_from_their_files_budget_and_never_twice(command, chats, monkeypatch):
    monkeypatch.setattr(supervising, "make_cast", make_cast)
    words = ("supervise", "chats.jsonl", "-o", "out", "--count", "20", "--generator", "direct", "--no-verify")
    words += ("--unanswerable", "0", "--updated", "0", "--models", "models.yaml")
    with Stub(direct_planner) as stub:
        planner = f'planner: {{model: stub, base_url: "{stub.url}", price: {{input: 1, output: 1}}}}'
        write_models(planner, "llm_calls: 9")
        capped = command(*words)
        assert capped.status == 3
        assert "see the budget in models.yaml, and go on with --resume" in capped.err
        write_models(planner, "llm_calls: 300")
        done = command(*words, "--resume")
        assert done.status == 0
        bodies = [json.dumps(one.body["messages"]) for one in stub.asked if one.path.endswith("completions")]
        assert len(bodies) == len(set(bodies))
        again = command(*words, "--resume", "--json")
        assert len([one for one in stub.asked if one.path.endswith("completions")]) == len(bodies)
    assert again.json["chats"]["costs"]["roles"]["planner"]["calls"] == len(bodies)
    assert again.json["chats"]["costs"]["calls_per_question"] == len(bodies) / 20
    assert f"each question took {len(bodies) / 20:.1f} calls, " in done.out
    assert "stub at http://127.0.0.1" in done.err


def write_models(planner, budget):
    Path("models.yaml").write_text(f"models:\n  {planner}\nbudget: {{{budget}}}\n", encoding="utf-8")
