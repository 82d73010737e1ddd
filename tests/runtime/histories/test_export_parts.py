"""Archives of exports: read in memory, and refused with a word where they are broken or meant to do harm."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories import export_parts
from designsearch.runtime.histories.base import formats, load
from designsearch.runtime.histories.export_parts import parts_of, some_parts
from designsearch.runtime.histories.report import LoadReport

FORMATS = ("chatgpt", "claude", "slack", "whatsapp")
STAMP = 1715704200
MESSAGE = {"id": "a", "author": {"role": "user"}, "create_time": STAMP, "content": {"parts": ["hello"]}}
FILES = {
    "conversations.json": json.dumps([{"mapping": {"a": {"message": MESSAGE}}, "current_node": "a"}]),
    "_chat.txt": "14.05.24, 19:02 - Ana: hi\n" * 50,
    "general/2024-05-14.json": json.dumps([{"ts": str(STAMP), "user": "U1", "text": "hi"}]),
}


def zipped(files, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def read(path, report=None):
    with parts_of(path, report or LoadReport()) as parts:
        return {part.name: part.data().decode() for part in parts}


def test_members_are_read_and_nothing_is_unpacked(write, tmp_path):
    path = write("e.zip", zipped(FILES))
    assert read(path) == FILES
    with some_parts(path) as parts:
        assert {part.name: part.head() for part in parts} == FILES
    assert [file.name for file in tmp_path.iterdir()] == ["e.zip"]


def test_names_that_lead_out_are_left_out(write):
    report = LoadReport()
    names = [
        "../a.txt",
        "/etc/a.txt",
        "C:/a.txt",
        "x/../../a.txt",
        "\\\\host\\a.txt",
        "..\\a.txt",
        ".git/a.txt",
        "ok/a.txt",
    ]
    assert list(read(write("e.zip", zipped(dict.fromkeys(names, "x"))), report)) == ["ok/a.txt"]
    counts = {oddity.what: oddity.count for oddity in report.oddities}
    assert counts == {
        "members of the archive whose name leads out of it, left out": 6,
        "hidden files and folders, left out": 1,
    }


def test_members_together_have_a_limit(write, monkeypatch):
    path = write("e.zip", zipped({"a.txt": "x" * 600, "b.txt": "y" * 600}))
    monkeypatch.setattr(export_parts, "MOST_BYTES", 1200)
    assert len(read(path)) == 2
    monkeypatch.setattr(export_parts, "MOST_BYTES", 1199)
    with pytest.raises(UserError, match=r"b\.txt: would take 600 bytes from \d+ in the archive.*at most 1,199 in all"):
        read(path)


def test_a_method_that_could_swell_unseen_is_refused(write):
    path = write("e.zip", zipped(FILES, zipfile.ZIP_LZMA))
    assert not formats()["chatgpt"].recognises(path)
    with pytest.raises(UserError, match="compressed in a way that is not read"):
        load(path, format="chatgpt")


def test_a_locked_archive_is_refused(write):
    data = bytearray(zipped({"_chat.txt": FILES["_chat.txt"]}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path = write("e.zip", bytes(data))
    with pytest.raises(UserError, match=r"_chat\.txt: cannot be read from the archive \(.*encrypted"):
        load(path, format="whatsapp")


def test_a_member_whose_name_is_broken_is_left_out(write):
    data = bytearray(zipped({"_chat.txt": FILES["_chat.txt"]}))
    data[data.rindex(b"_chat.txt")] = 0
    with pytest.raises(UserError, match="hidden files and folders, left out"):
        load(write("e.zip", bytes(data)), format="whatsapp")


@pytest.mark.parametrize("name", FORMATS)
def test_a_missing_member_or_file_is_an_error(write, name):
    path = write("e.zip", zipped({}))
    assert not formats()[name].recognises(path)
    with pytest.raises(UserError, match="nothing is imported"):
        load(path, format=name)


@pytest.mark.parametrize("name", FORMATS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), max_size=4), st.floats(0, 1))
def test_broken_archives_are_read_or_refused_with_a_word(write, name, changes, end):
    data = bytearray(zipped(FILES))
    for place, byte in changes:
        data[int(place * len(data))] = byte
    path = write("e.zip", bytes(data[: int(end * len(data))] if end < 0.5 else data))
    formats()[name].recognises(path)
    try:
        (dataset,) = load(path, format=name)
    except UserError:
        return
    assert dataset.events
