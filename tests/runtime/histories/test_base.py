"""One way in: references, formats, names, sources, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import formats, load, parse_history_ref

ROWS = [
    {"id": "a", "text": "x", "source": "conversation"},
    {"id": "b", "text": "y", "source": "email"},
    {"id": "a", "text": "z", "event": "edit"},
    {"id": "b", "text": "z", "event": "edit"},
    {"id": "c", "text": "w"},
]


@pytest.mark.parametrize(
    ("ref", "path", "name"),
    [
        ("data/set#Ana_Roth", "data/set", "Ana_Roth"),
        ("five.json#conv-26", "five.json", "conv-26"),
        ("chats.jsonl", "chats.jsonl", None),
        ("a#b#c", "a#b", "c"),
    ],
)
def test_a_reference_is_a_path_and_perhaps_a_name(ref, path, name):
    assert parse_history_ref(ref) == (Path(path), name)


def test_a_file_with_a_hash_in_its_name_is_a_file(write):
    write("notes#2.jsonl", ROWS)
    assert parse_history_ref("notes#2.jsonl") == (Path("notes#2.jsonl"), None)
    assert load("notes#2.jsonl")[0].name == "notes#2"
    assert load("notes#2.jsonl#notes#2")[0].name == "notes#2"


@pytest.mark.parametrize(
    ("ref", "part"), [("#x", "path is missing"), ("", "path is missing"), ("x#", "the name after")]
)
def test_a_reference_with_a_part_missing_is_refused(ref, part):
    with pytest.raises(UserError, match=part):
        parse_history_ref(ref)


def test_the_formats():
    assert list(formats()) == sorted(formats())
    assert {"csv", "jsonl", "locomo", "rhelm"} <= set(formats())


def test_a_format_may_be_named(write):
    write("history.txt", '{"id": "a", "text": "x"}')
    assert load("history.txt", format="jsonl")[0].history().texts == ("x",)


def test_a_name_takes_one_history(write):
    write("h.jsonl", ROWS)
    assert [d.name for d in load("h.jsonl#h")] == [d.name for d in load(Path("h.jsonl"), name="h")] == ["h"]


@pytest.mark.parametrize(
    ("golden_name", "arguments"),
    [
        ("no_such_path", {"path": "nowhere.jsonl#x"}),
        ("no_such_name", {"path": "h.jsonl#g"}),
        ("no_such_format", {"path": "h.jsonl", "format": "json-l"}),
        ("no_known_format", {"path": "notes.rtf"}),
        ("no_known_json", {"path": "other.json"}),
        ("no_known_folder", {"path": "folder"}),
        ("no_such_source", {"path": "h.jsonl", "sources": ["conversations"]}),
        ("empty_json", {"path": "empty.json", "format": "locomo"}),
        ("no_file", {"path": "folder", "format": "jsonl"}),
        ("no_locomo", {"path": "other.json", "format": "locomo"}),
        ("no_rhelm", {"path": "folder", "format": "rhelm"}),
    ],
)
def test_mistakes_are_told_in_one_message(write, golden, golden_name, arguments):
    write("h.jsonl", ROWS)
    write("notes.rtf", "Dear diary")
    write("other.json", {"user": "u1", "sessions": []})
    write("empty.json", "")
    Path("folder").mkdir()
    with pytest.raises(UserError) as caught:
        load(**arguments)
    golden(golden_name, str(caught.value))


def test_sources_keeps_records_and_what_happens_to_them(write):
    write("h.jsonl", ROWS)
    (dataset,) = load("h.jsonl", sources=["conversation"])
    assert [(e.id, e.text) for e in dataset.events] == [("a", "x"), ("a", "z")]
    assert dataset.history().texts == ("z",)
    assert "records left out by `sources`: 3" in dataset.report.lines()
    assert load("h.jsonl", sources="conversation")[0].events == dataset.events


def test_a_source_that_only_another_history_has_is_said(write):
    turn = {"dia_id": "D1:1", "speaker": "Ana", "text": "hello"}
    write("two.json", [{"sample_id": "one", "conversation": {"session_1": [turn]}, "qa": []},
                       {"sample_id": "two", "conversation": {}, "qa": []}])  # fmt: skip
    one, two = load("two.json", sources=["conversation"])
    assert (len(one.history()), len(two.history())) == (1, 0)
    assert "the history is empty: 1 (two)" in two.report.lines()
