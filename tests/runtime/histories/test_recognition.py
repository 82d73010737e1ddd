"""Which format a source is taken for: one, or none, and never one of a narrower kind's files for prose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, formats, load

MAIL = "From a@b.c Mon Jan  1 10:00:00 2024\nFrom: a@b.c\nSubject: x\nDate: Mon, 01 Jan 2024 10:00:00 +0000\n\nhello\n"
TURN = {"dia_id": "D1:1", "speaker": "Ana", "text": "hello"}
LOCOMO = [{"sample_id": "c", "qa": [], "conversation": {"session_1": [TURN]}}]
LONGMEMEVAL = [{"question_id": "q", "question": "?", "haystack_sessions": [[{"role": "user", "content": "x"}]]}]
PERSONAMEM = json.dumps({"9f86d081884c7d65": [{"role": "user", "content": "x"}]}) + "\n"
SOURCES = {
    "h.jsonl": ("jsonl", '{"id": "a", "text": "x"}\n'),
    "h.json": ("jsonl", '[{"id": "a", "text": "x"}]'),
    "h.ndjson": ("jsonl", '{"text": "x"}\n'),
    "conversations.json": ("locomo", json.dumps(LOCOMO)),
    "oracle.json": ("longmemeval", json.dumps(LONGMEMEVAL)),
    "oracle.jsonl": ("longmemeval", "".join(json.dumps(row) + "\n" for row in LONGMEMEVAL)),
    "shared_contexts_32k.jsonl": ("personamem", PERSONAMEM),
    "other.jsonl": ("personamem", PERSONAMEM),
    "t.csv": ("csv", "id,text\na,x\n"),
    "t.tsv": ("csv", "id\ttext\na\tx\n"),
    "a.mbox": ("mail", MAIL),
    "a.eml": ("mail", MAIL.partition("\n")[2]),
    "Inbox": ("mail", MAIL),
    "inbox.txt": ("mail", MAIL),
    "sent/1": ("mail", MAIL.partition("\n")[2]),
    "box/cur/1:2,S": ("mail", MAIL.partition("\n")[2]),
    "a.md": ("folder", "# A\nx"),
    "a.html": ("folder", "<p>x"),
    "a.txt": ("folder", "x"),
    "notes/sub/a.md": ("folder", "x"),
    "rhelm/conversations/Ana/1.json": ("rhelm", '{"date": "2024-03-01", "conversation": [{"turn": 1, "user": "x"}]}'),
}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", SOURCES)
def test_every_source_is_taken_for_what_it_is(write, name, mark):
    kind, content = SOURCES[name]
    write(name, mark + content.encode())
    source = Path(Path(name).parts[0])
    narrow = [one.name for one in formats().values() if one.recognises(source) and not one.general]
    assert len(narrow) <= 1
    assert find_format(source).name == kind
    assert sum(len(dataset.events) for dataset in load(source)) == 1


@pytest.mark.parametrize("name", ["x.json", "x.bin", "x.csv", "x", "x.zip", "x.docx", "x.pdf"])
@pytest.mark.parametrize("content", [b"", b"{}", b'{"unheard": {}}', b"\x00\xff", b"Dear diary,\nall is well"])
def test_what_no_format_knows_is_refused(write, name, content):
    write(name, content)
    with pytest.raises(UserError, match="is in no known format"):
        load(name)


@given(st.sampled_from(sorted(SOURCES)), st.binary(max_size=40), st.integers(0, 80))
def test_damaged_sources_are_read_or_refused(tmp_path_factory, name, junk, place):
    _, content = SOURCES[name]
    raw = content.encode()
    path = tmp_path_factory.mktemp("any") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw[:place] + junk + raw[place + len(junk) // 2 :])
    source = path.parents[len(Path(name).parts) - 2] if "/" in name else path
    try:
        found = load(source)
    except UserError as error:
        assert "fits several" not in str(error)  # noqa: PT017  either outcome is right
    else:
        assert all(dataset.name for dataset in found)


def test_a_folder_that_may_not_be_read_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(UserError, match=r"may not be read; allow that first$"):
        find_format(tmp_path)
