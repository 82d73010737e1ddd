"""The command forget, from a study to the last byte."""

import gzip
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from model_fakes import ScriptedModel
from small_world import write_lines

from designsearch.runtime.models.books.calls import CallStore, call_key
from designsearch.runtime.models.books.spending import Spending
from designsearch.runtime.models.requests import Message, Request
from designsearch.search.lock import study_lock

EXAMPLES = Path(__file__).parents[2] / "examples"
BASE = Path(__file__).parents[2] / "designs" / "baselines" / "bm25.yaml"

STUDY = """\
version: 1
study: small
data:
  - {history: chats.jsonl, format: jsonl, questions: asked.jsonl}
base: base.yaml
context_budget: 600
objective: evidence_coverage
proposer: {op: rules}
budget: {trials: 2}
"""

WINDOW = 30
"""Letters and digits in a row that the independent search looks for."""


def letters(data: bytes) -> bytes:
    return re.sub(rb"[^a-z0-9]+", b"", data.lower())


def windows(text: str) -> set[bytes]:
    plain = letters(text.encode())
    return {plain[i : i + WINDOW] for i in range(len(plain) - WINDOW + 1)}


def holding(roots, wanted) -> set[str]:
    """Names of the files whose bytes hold one of the windows, archives and databases unpacked."""
    found = set()
    for root in roots:
        for path in (p for p in [root, *root.rglob("*")] if p.is_file()):
            data = [path.read_bytes()]
            if path.suffix == ".sqlite":
                with closing(sqlite3.connect(path)) as db:
                    data += ["\n".join(db.iterdump()).encode()]
            if path.suffix == ".npz":
                head = data[0].index(b"PK")
                path.with_suffix(".bare").write_bytes(data[0][head:])
                with np.load(path.with_suffix(".bare"), allow_pickle=False) as arrays:
                    data += [str(arrays[name].tolist()).encode() for name in arrays.files]
                path.with_suffix(".bare").unlink()
            if any(window in letters(one) for one in data for window in wanted):
                found.add(path.name)
    return found


def rows_of(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def lived(world, command):
    """A working folder in which a study, an evaluation and a set of generated questions were made."""
    history, questions = rows_of(EXAMPLES / "history.jsonl"), rows_of(EXAMPLES / "questions.jsonl")
    named = [entry["record"] for question in questions for entry in question.get("evidence", ())]
    texts = {row["id"]: row["text"] for row in history}
    victim = max((name for name in texts if len(texts[name].split()) > 20), key=lambda name: (named.count(name), name))
    assert named.count(victim) > 1
    write_lines("chats.jsonl", history)
    write_lines("asked.jsonl", questions)
    Path("base.yaml").write_bytes(BASE.read_bytes())
    Path("study.yaml").write_text(STUDY, encoding="utf-8")
    assert command("run", "study.yaml").status == 0
    done = command(
        "eval", "base.yaml", "--history", "chats.jsonl", "--questions", "asked.jsonl", "--out", "results.jsonl"
    )
    assert done.status == 0
    _ask_models(Path("runs/small/calls.sqlite"), texts[victim])
    _say_it_elsewhere(victim, texts[victim])
    _generate(victim, texts[victim])
    return victim, texts


def _ask_models(path, text):
    """Replies that quote the record, and one that only draws on it."""
    model = ScriptedModel(lambda request: f"As was said: {text}" if "quote" in request.prompt else "she goes in spring")
    store = CallStore(path)
    for prompt in ("memory/quote@1", "answer/plain@1"):
        request = Request(prompt, (Message("user", text),))
        (reply,) = model.complete([request])
        store.settle(
            store.reserve("base", "answerer", prompt, Spending(1, 0.5, 9, 9)),
            "base",
            "answerer",
            prompt,
            Spending(1, 0.25, 5, 5),
        )
        store.keep(call_key("answerer", "m", request), "answerer", prompt, reply)
    store.keep_vectors({"v": np.ones(4, np.float32)})
    store.flush()
    killed = Path("generated")  # a process that was killed leaves its log beside the file
    killed.mkdir()
    for end in ("", "-wal"):
        (killed / f"calls.sqlite{end}").write_bytes(path.with_name(f"calls.sqlite{end}").read_bytes())
    store.close()


def _say_it_elsewhere(victim, text):
    """A proposer that quotes the record: in the ledger, a proposal, a revision."""
    run = Path("runs/small")
    with (run / "journal.log").open("a", encoding="utf-8") as file:
        line = {"op_code": 8, "worker_id": "w", "trial_id": 0, "user_attr": {"reason": f"missed: {text}"}}
        file.write(json.dumps(line) + "\n")
    proposal = run / "trials" / "000" / "proposal.json"
    proposal.write_text(json.dumps(json.loads(proposal.read_text()) | {"rationale": f"they said {text}"}, indent=1))
    failure = {"question_id": "q", "history": "chats", "question": "What?", "gold": text[:50], "category": "storage"}
    diagnosis = run / "trials" / "base" / "diagnosis.json"
    diagnosis.write_text(
        json.dumps(
            [
                *json.loads(diagnosis.read_text(encoding="utf-8")),
                {**failure, "evidence": [{"record": victim, "text": text}]},
            ]
        )
    )
    (run / "journal.log.torn-1").write_bytes((run / "journal.log").read_bytes())
    revision = next((run / "revisions").glob("*.yaml"))
    revision.write_text(f"# why: {' '.join(text.split())}\n" + revision.read_text(encoding="utf-8"), encoding="utf-8")


def _generate(victim, text):
    """What a set of generated questions holds."""
    folder = Path("generated")
    item = {
        "question": "Which of the things that were planned in that year comes first?",
        "evidence": [{"record": victim, "quote": text[:40]}],
    }
    other = {"question": "What else?", "evidence": [{"record": "chat-01-1", "quote": "Morning."}]}
    write_lines(folder / "train.jsonl", [item, other])
    write_lines(folder / "rejected.jsonl", [{"bundle": {"records": ["chat-01-1", victim]}, "why": "x"}, other])
    write_lines(folder / "items.jsonl", [{"plan": {"facts": [{"id": "f1", "statement": text}]}}, {"id": "f1", "n": 2}])
    (folder / "manifest.json").write_text('{"seed": 1}')


def test_nothing_is_left_in_any_file(lived, command, tmp_path):
    victim, texts = lived
    stays = {window for name, text in texts.items() if name != victim for window in windows(text)}
    wanted = windows(texts[victim]) - stays
    roots = [Path(), tmp_path / "cache"]
    before = holding(roots, wanted)
    assert {"chats.jsonl", "results.jsonl", "diagnosis.json", "calls.sqlite", "journal.log", "proposal.json"} <= before
    assert {"items.jsonl", "asked.jsonl"} & before

    dry = command("forget", victim, "--history", "chats.jsonl", "--in", ".", "--dry-run", "--json")
    assert (dry.status, holding(roots, wanted)) == (0, before - {"calls.sqlite-wal"})
    assert dry.json["left"] == []

    done = command("forget", victim, "--history", "chats.jsonl", "--in", ".", "--json")
    assert (done.status, done.json["left"]) == (0, [])
    assert {one["file"] for one in done.json["removed"]} == {one["file"] for one in dry.json["removed"]}
    assert done.json["cannot_go_on"] == ["generated", "runs/small"]
    assert "runs/small: its history has changed, so that it cannot go on; run it anew with --fork" in done.err
    assert "generated: its history has changed, so that it cannot go on; begin anew in another folder" in done.err
    assert holding(roots, wanted) == set()
    for path in Path().rglob("*.json*"):
        assert f'"{victim}"' not in path.read_text(encoding="utf-8"), path


def test_what_has_nothing_to_do_with_it_stays(lived, command):
    victim, _ = lived
    asked, results = rows_of("asked.jsonl"), rows_of("results.jsonl")
    old = Path("chats.jsonl").read_text(encoding="utf-8").splitlines()
    assert command("forget", victim, "--history", "chats.jsonl", "--in", ".").status == 0
    kept = Path("chats.jsonl").read_text(encoding="utf-8").splitlines()
    assert kept == [line for line in old if json.loads(line)["id"] != victim]
    assert rows_of("asked.jsonl") == [q for q in asked if all(e["record"] != victim for e in q.get("evidence", ()))]
    on_it = {q["id"] for q in asked if any(e["record"] == victim for e in q.get("evidence", ()))}
    after = {row["question_id"]: row for row in rows_of("results.jsonl")}
    assert on_it.isdisjoint(after)
    assert len(after) == len(results) - len(on_it)
    for row in results:
        shown = any(victim in unit["records"] for unit in row["units"])
        if row["question_id"] in on_it:
            continue
        if shown:
            new = after[row["question_id"]]
            assert (new["forgotten"], new["context"], new["correct"]) == (True, "forgotten", row["correct"])
            assert len(new["units"]) == len(row["units"]) - 1
        else:
            assert after[row["question_id"]] == row
    assert [row["question"] for row in rows_of("generated/train.jsonl")] == ["What else?"]
    assert len(rows_of("generated/rejected.jsonl")) == len(rows_of("generated/items.jsonl")) == 1


def test_money_that_was_spent_stays_on_the_books(lived, command):
    victim, _ = lived
    assert command("forget", victim, "--history", "chats.jsonl", "--in", "runs").status == 0
    with closing(sqlite3.connect("runs/small/calls.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM replies").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM vectors").fetchone() == (0,)
        assert db.execute("SELECT sum(calls), sum(usd) FROM spending").fetchone() == (2, 0.5)
    assert command("log", "small").status == 0
    assert command("run", "study.yaml").status == 4


def test_a_study_in_use_is_refused_and_nothing_is_changed(lived, command):
    victim, _ = lived
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file() and path.name != "run.lock"}
    with study_lock(Path("runs/small"), lambda _: None):
        done = command("forget", victim, "--history", "chats.jsonl", "--in", "runs", "generated")
    assert done.status == 4
    assert "runs/small: is in use by another process" in done.err
    assert all(path.read_bytes() == data for path, data in before.items())


SAID = "The spare key of the workshop lies under the third blue flower pot on the left"


@pytest.fixture
def small(world):
    """Three messages, of which one quotes another."""
    rows = [
        {"id": "k1", "text": f"{SAID}. Do not tell anybody about it, please, ever.", "time": "2025-01-01"},
        {"id": "k2", "text": f"You wrote: '{SAID}.' I will not.", "reply_to": "k1", "refs": ["k1", "k3"]},
        {"id": "k3", "text": "ok"},
    ]
    write_lines("talk.jsonl", rows)
    return rows


def test_messages(small, command, golden):
    write_lines("q.jsonl", [{"question": "Where is it?", "answer": "pot", "evidence": ["k1"]}, {"question": "Who?"}])
    Path("more/deep").mkdir(parents=True)
    write_lines("more/deep/r.jsonl", [{"refs": "k9"}])
    arguments = ("forget", "k1", "--history", "talk.jsonl", "--in", "q.jsonl", "more")
    dry, done = command(*arguments, "--dry-run"), command(*arguments)
    golden("forget", f"{dry.out}\n{dry.err}\n{done.out}\n{done.err}")
    assert (dry.status, done.status) == (0, 0)


def test_a_reference_to_it_goes_and_a_quotation_is_told(small, command):
    done = command("forget", "k1", "--history", "talk.jsonl", "--json")
    assert (done.status, done.json["also_said_by"]) == (0, {"k1": ["k2"]})
    assert "k1: a part of its text is also said by 1 record that stays: k2" in done.err
    assert rows_of("talk.jsonl") == [{"id": "k2", "text": small[1]["text"], "refs": ["k3"]}, small[2]]


def test_a_text_too_short_to_search_for_is_told(small, command):
    done = command("forget", "k3", "--history", "talk.jsonl", "-q")
    assert done.status == 0
    assert "k3: its text is too short to be searched for" in done.err


def test_edits_go_too_and_ids_that_were_made_unique_are_kept(world, command):
    rows = [
        {"id": "a", "text": "first version of something that is said here at some length"},
        {"id": "a", "text": "another record with the same id"},
        {"id": "a", "event": "edit", "text": "second version, which says something else altogether, at length"},
        {"id": "a~2", "event": "edit", "text": "another record, edited"},
        {"id": "a", "event": "delete"},
    ]
    write_lines("talk.jsonl", rows)
    assert command("forget", "a", "--history", "talk.jsonl").status == 0
    assert rows_of("talk.jsonl") == [{"id": "a~2", "text": "another record with the same id"}, rows[3]]


SECRET = "the combination of the safe behind the painting is eleven forty two nine"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notes.txt", f"On Monday:\n{SECRET.upper()}!".encode()),
        ("export.json", json.dumps({"a": [f"é {SECRET}"]}).encode()),
        ("twice.txt", json.dumps(json.dumps({"t": SECRET.replace(" ", "\n").replace("e", "\\u0065")})).encode()),
        ("packed.gz", gzip.compress(SECRET.encode(), mtime=0)),
        ("wide.bin", b"\xff\xfe" + SECRET.encode("utf-16-le")),
        ("page.html", SECRET.replace("is", "&#105;s").encode()),
    ],
)
def test_what_is_not_ours_is_told_and_never_touched(world, command, name, data):
    write_lines("talk.jsonl", [{"id": "s1", "text": SECRET}])
    folder = Path("mine")
    folder.mkdir()
    (folder / name).write_bytes(data)
    dry = command("forget", "s1", "--history", "talk.jsonl", "--in", "mine", "--dry-run", "--json")
    done = command("forget", "s1", "--history", "talk.jsonl", "--in", "mine", "--json")
    assert (dry.status, done.status) == (0, 4)
    assert dry.json["left"] == done.json["left"] == [{"file": f"mine/{name}", "what": "holds text of it"}]
    assert (folder / name).read_bytes() == data


def test_arrays_of_text_in_the_cache_format_are_searched(world, command):
    write_lines("talk.jsonl", [{"id": "s1", "text": SECRET}])
    Path("mine").mkdir()
    np.savez_compressed("mine/a.npz", texts=np.array([SECRET, "other"]))
    done = command("forget", "s1", "--history", "talk.jsonl", "--in", "mine", "--json")
    assert [one["file"] for one in done.json["left"]] == ["mine/a.npz"]


def test_links_are_not_followed(world, command, tmp_path):
    write_lines("talk.jsonl", [{"id": "s1", "text": SECRET}])
    outside = tmp_path / "outside"
    outside.mkdir()
    write_lines(outside / "q.jsonl", [{"question": "What?", "evidence": ["s1"]}])
    Path("in").mkdir()
    Path("in/folder").symlink_to(outside)
    Path("in/q.jsonl").symlink_to(outside / "q.jsonl")
    done = command("forget", "s1", "--history", "talk.jsonl", "--in", "in", "--json")
    assert (done.status, done.json["links_not_followed"]) == (0, ["in/folder", "in/q.jsonl"])
    assert len(rows_of(outside / "q.jsonl")) == 1


def test_the_same_id_in_another_history_stays(world, command):
    write_lines("talk.jsonl", [{"id": "1", "text": SECRET}])
    line = {"question": "What?", "history": "other", "evidence": [{"record": "1"}]}
    write_lines("q.jsonl", [line, line | {"history": "talk"}, {"id": "1", "question": "Who?"}])
    assert command("forget", "1", "--history", "talk.jsonl", "--in", "q.jsonl").status == 0
    assert rows_of("q.jsonl") == [line, {"id": "1", "question": "Who?"}]


def test_another_history_with_the_same_ids_stays_and_a_copy_does_not(world, command):
    own = [{"id": "1", "text": SECRET}, {"id": "2", "text": "I see.", "reply_to": "1"}]
    other = [{"id": "1", "text": "Good morning to all of you."}, {"id": "2", "text": "And to you.", "reply_to": "1"}]
    write_lines("talk.jsonl", own)
    Path("old").mkdir()
    write_lines("old/other.jsonl", other)
    write_lines("old/copy.jsonl", own)
    assert command("forget", "1", "--history", "talk.jsonl", "--in", "old").status == 0
    assert rows_of("old/other.jsonl") == other
    assert rows_of("old/copy.jsonl") == rows_of("talk.jsonl") == [{"id": "2", "text": "I see."}]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["k11"], "talk.jsonl: holds no record 'k11' (did you mean k1?)"),
        (["k1", "--in", "nowhere"], "--in nowhere: there is no such file or folder"),
        (["k1", "--history", "none.jsonl"], "none.jsonl: there is no such file"),
        (["k1", "--history", "array.json"], "make one with designsearch ingest array.json -o history.jsonl"),
        (["k1", "--history", "old.mbox"], "make one with designsearch ingest old.mbox -o history.jsonl"),
    ],
)
def test_mistakes(small, command, arguments, said):
    Path("array.json").write_text(json.dumps(small), encoding="utf-8")
    mail = "From a@example.com Mon Jan  1 00:00:00 2024\nFrom: a@example.com\nSubject: x\nMessage-ID: <k1>\n\nhello\n"
    Path("old.mbox").write_text(mail)
    before = Path("talk.jsonl").read_bytes()
    done = command("forget", "--history", "talk.jsonl", *arguments)
    assert done.status == 2
    assert said in done.err
    assert Path("talk.jsonl").read_bytes() == before


def test_folders_that_may_hold_more_are_named(small, command):
    Path("runs").mkdir()
    Path("other").mkdir()
    asked = ("forget", "k3", "--history", "talk.jsonl", "--dry-run", "--in", "other")
    assert "runs/ was not looked at; add --in runs" in command(*asked).err
    assert "was not looked at" not in command(*asked, "runs").err
    assert "was not looked at" not in command(*asked, ".").err
    assert "runs/ was not looked at; add --in runs" in command("forget", "k3", "--history", "talk.jsonl").err


def test_what_was_forgotten_before_is_found_in_further_places_once_its_line_is_back(small, command):
    before = Path("talk.jsonl").read_bytes()
    Path("copy.jsonl").write_bytes(before)
    assert command("forget", "k3", "--history", "talk.jsonl").status == 0
    done = command("forget", "k3", "--history", "talk.jsonl", "--in", "copy.jsonl")
    assert done.status == 2
    assert "is found in further places only with its line put back first" in done.err
    Path("talk.jsonl").write_bytes(before)
    assert command("forget", "k3", "--history", "talk.jsonl", "--in", "copy.jsonl").status == 0
    assert Path("copy.jsonl").read_bytes() == Path("talk.jsonl").read_bytes() != before
