"""ingest: what is written, what is refused, and the account of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from designsearch.dsl.problems import UserError
from designsearch.ingesting import ingest
from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.question_file import read_question_file

TALKS = [
    {
        "sample_id": name,
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"dia_id": "D1:1", "speaker": "Ana", "text": f"I keep {pet}", "blip_caption": "a pet"},
                {"dia_id": "D1:2", "speaker": "Bo", "text": "Nice"},
            ],
        },
        "qa": [{"question": "What does Ana keep?", "answer": pet, "category": 4, "evidence": ["D1:1"]}],
        "observation": {"session_1_observation": {"Ana": [["Ana keeps an animal", "D1:1"]]}},
    }
    for name, pet in (("one", "bees"), ("two", "hens"))
]


@pytest.fixture
def talks(world):
    Path("talks.json").write_text(json.dumps(TALKS), encoding="utf-8")
    return world


def test_a_history_is_written_with_its_account(command, talks, golden):
    done = command("ingest", "talks.json#one", "-o", "one.jsonl", "--questions", "q.jsonl")
    assert done.status == 0
    golden("ingest", done.out + done.err)
    assert load("one.jsonl")[0].events == load("talks.json#one")[0].events
    (question,) = read_question_file(Path("q.jsonl")).questions
    assert (question.question, question.answer, question.evidence[0].record) == ("What does Ana keep?", "bees", "D1:1")
    assert "history" not in question.meta
    kept = json.loads(Path("one.report.json").read_text(encoding="utf-8"))
    assert (
        kept
        == command("ingest", "talks.json#one", "-o", "one.jsonl", "--questions", "q.jsonl", "--force", "--json").json
    )
    assert kept["histories"][0]["time"] == {
        "first": "2023-05-08T13:56", "last": "2023-05-08T13:56", "precision": {"minute": 2}, "with_zone": 0,
    }  # fmt: skip


def test_questions_never_enter_the_history(command, talks):
    assert command("ingest", "talks.json#one", "-o", "one.jsonl").status == 0
    written = Path("one.jsonl").read_text(encoding="utf-8")
    assert "What does Ana keep" not in written
    assert "keeps an animal" not in written


def test_several_histories_go_into_a_folder(command, talks):
    done = command("ingest", "talks.json", "-o", "out/", "--questions", "q.jsonl")
    assert done.status == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["ingest.report.json", "one.jsonl", "two.jsonl"]
    assert [q.meta["history"] for q in read_question_file(Path("q.jsonl")).questions] == ["one", "two"]
    assert [d.name for d in (load("out/one.jsonl")[0], load("out/two.jsonl")[0])] == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ingest_several", ("talks.json", "-o", "all.jsonl")),
        ("ingest_onto_itself", ("history.jsonl", "-o", "./history.jsonl", "--force")),
        ("ingest_exists", ("talks.json#one", "-o", "history.jsonl")),
        ("ingest_no_questions", ("history.jsonl", "-o", "new.jsonl", "--questions", "q.jsonl")),
        ("ingest_one_file_for_two", ("talks.json#one", "-o", "new.jsonl", "--questions", "new.jsonl")),
        ("ingest_nothing", ("empty.jsonl", "-o", "new.jsonl")),
        ("ingest_no_source", ("nowhere.json", "-o", "new.jsonl")),
        ("ingest_other_shape", ("other.json", "-o", "new.jsonl")),
        ("ingest_other_keys", ("other.jsonl", "-o", "new.jsonl")),
        ("ingest_no_folder", ("talks.json", "-o", "no/such/")),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(program, talks, golden, name, arguments):
    Path("empty.jsonl").write_text("\n", encoding="utf-8")
    Path("other.json").write_text('{"data": [{"body": "x"}]}', encoding="utf-8")
    Path("other.jsonl").write_text('{"body": "x"}', encoding="utf-8")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    done = subprocess.run(
        [*program, "ingest", *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == (4 if name == "ingest_nothing" else 2)
    assert done.stdout == ""
    golden(name, re.sub(r"(?m)^  [a-z]+: .*\n", "", done.stderr))  # without the list of formats, which grows
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_the_encoding_of_the_system_does_not_matter(program, world):
    Path("bom.json").write_bytes('\ufeff[{"id": "m", "text": "party 🎉 日本"}]'.encode())
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "cp1252",
        "PYTHONCOERCECLOCALE": "0",
    }
    done = subprocess.run(
        [*program, "ingest", "bom.json", "-o", "bom.jsonl"], env=environment, capture_output=True, check=False
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert json.loads(Path("bom.jsonl").read_bytes().decode("utf-8"))["text"] == "party 🎉 日本"
    json.loads(Path("bom.report.json").read_bytes().decode("utf-8"))


def test_a_map_of_fields(command, world):
    Path("a.json").write_text('{"data": [{"body": "hello", "who": {"name": "Ana"}}]}', encoding="utf-8")
    done = command(
        "ingest", "a.json", "-o", "a.jsonl", "--map", "records=data", "--map", "text=body", "--map", "author=who.name"
    )
    assert done.status == 0
    (event,) = load("a.jsonl")[0].events
    assert (event.text, event.author) == ("hello", "Ana")


def test_a_map_reads_no_other_format(world):
    for source, kind in (("history.jsonl", "locomo"), ("history.jsonl#other", "auto")):
        with pytest.raises(UserError, match="reads one whole file of JSON, JSON lines or CSV"):
            ingest(source, "a.jsonl", format=kind, fields={"text": "text"})


def test_no_account_is_kept_beside_a_device(world):
    done = ingest("history.jsonl", os.devnull)
    assert done.report_file is None
    assert done.histories[0].overview.records


def test_every_event_goes_through_the_passes(world):
    from dataclasses import replace

    def loud(event):
        return replace(event, text=event.text.upper())

    done = ingest("history.jsonl", "loud.jsonl", passes=[loud])
    assert done.histories[0].overview.records == len(load("loud.jsonl")[0].events)
    assert all(event.text.isupper() for event in load("loud.jsonl")[0].events)


def test_contradicting_questions_are_left_out_of_the_file(world):
    twice = [{"question": "Who?", "answer": answer, "category": 4} for answer in ("Ana", "Bo")]
    Path("t.json").write_text(json.dumps([TALKS[0] | {"qa": [*TALKS[0]["qa"], *twice]}]), encoding="utf-8")
    done = ingest("t.json", "t.jsonl", questions="q.jsonl")
    assert [q.answer for q in read_question_file(Path("q.jsonl")).questions] == ["bees"]
    assert done.questions == 1
    assert "left out" in "\n".join(done.histories[0].overview.report.lines())


def test_personal_data_is_replaced_in_history_questions_and_account(command, world):
    rows = [
        {"id": "<m1@example.com>", "text": "Write to ana@example.com", "author": "bo@example.org"},
        {"id": "m2", "text": "Sure, 192.0.2.7", "reply_to": "<m1@example.com>", "time": "ana@example.com"},
    ]
    Path("m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = command("ingest", "m.jsonl", "-o", "clean.jsonl", "--redact", "email")
    assert done.status == 0
    assert "replaced by placeholders: 4 email (3 distinct)" in done.err
    first, second = load("clean.jsonl")[0].events
    assert (first.id, first.text, first.author) == ("<[email 3]>", "Write to [email 1]", "[email 2]")
    assert (second.text, second.reply_to) == ("Sure, 192.0.2.7", first.id)
    written = Path("clean.jsonl").read_text(encoding="utf-8") + Path("clean.report.json").read_text(encoding="utf-8")
    assert "example" not in written.replace("examples", "")
    assert command("ingest", "m.jsonl", "-o", "c2.jsonl", "--redact", "--json").json["redacted"]["ip"] == {
        "replaced": 1,
        "distinct": 1,
    }
    wrong = command("ingest", "m.jsonl", "-o", "c3.jsonl", "--redact", "mail")
    assert wrong.status == 2
    assert "there is no kind 'mail' (did you mean email?)" in wrong.err


def test_deletions_alone_are_no_history(command, world):
    Path("gone.jsonl").write_text('{"id": "a", "event": "delete"}\n', encoding="utf-8")
    done = command("ingest", "gone.jsonl", "-o", "h.jsonl")
    assert (done.status, Path("h.jsonl").exists()) == (4, False)
    assert "gone.jsonl: holds no record (read as jsonl); nothing was written" in done.err


def test_the_source_is_never_written_over_or_into(command, world):
    Path("notes").mkdir()
    Path("notes/a.md").write_text("# One\n\nhello\n", encoding="utf-8")
    for target in ("notes/a.md", "notes/new.jsonl", "notes", "notes/"):
        done = command("ingest", "notes", "-o", target, "--force")
        assert done.status == 2
        assert "lies in the source, notes, of which it would become a part; name another place" in done.err
    Path("h.report.json").write_text('[{"id": "a", "text": "x"}]', encoding="utf-8")
    done = command("ingest", "h.report.json", "-o", "h.jsonl", "--force")
    assert (done.status, done.err) == (2, "h.report.json: is the source itself; name another file\n")
    assert sorted(path.name for path in Path("notes").iterdir()) == ["a.md"]
    assert Path("h.report.json").read_text(encoding="utf-8") == '[{"id": "a", "text": "x"}]'
