"""Folders of documents: sections, dates, links, and what is no document."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import find_format, load
from designsearch.runtime.histories.document_dates import date_in_name, html_head, markdown_head


def noted(dataset):
    return {oddity.what: (oddity.count, oddity.examples) for oddity in dataset.report.oddities}


def test_a_section_is_a_record_of_a_dated_document(write):
    write(
        "notes/plan.md",
        "---\ntitle: Plan\ndate: 2024-03-05T10:00 # noon\nauthor: 'Ana'\n---\nBefore\n# Costs\nFew\n## Hay\nMuch\n",
    )
    write("notes/2024-03 trip.html", "<title>Trip</title><h1>Where</h1><p>Lisbon")
    write("notes/diary/2024/03/05.txt", "Rain all day\r\nand wind\r\n")
    (dataset,) = load("notes")
    assert dataset.name == "notes"
    assert [(e.id, e.text, e.time, e.session, e.section, e.author) for e in dataset.events] == [
        ("2024-03 trip.html#1", "Where\nLisbon", "2024-03", "2024-03 trip.html", "Where", ""),
        ("diary/2024/03/05.txt#1", "Rain all day\nand wind", "2024-03-05", "diary/2024/03/05.txt", "", ""),
        ("plan.md#1", "Before", "2024-03-05T10:00", "plan.md", "Plan", "Ana"),
        ("plan.md#2", "# Costs\nFew", "2024-03-05T10:00", "plan.md", "Costs", "Ana"),
        ("plan.md#3", "## Hay\nMuch", "2024-03-05T10:00", "plan.md", "Costs > Hay", "Ana"),
    ]
    assert {e.source for e in dataset.events} == {"document"}
    assert noted(dataset) == {}


def test_a_document_without_a_date_has_no_time(write):
    write("plain.md", "words")
    (dataset,) = load("plain.md")
    assert [(e.id, e.time) for e in dataset.events] == [("plain.md#1", None)]
    assert noted(dataset) == {"documents without a date, time unknown": (1, ("plain.md",))}


def test_links_are_references(write):
    write(
        "n/a.md",
        "[b](sub/b.md) [coop](sub/b.md#the-coop) [[B#The Coop|x]] [out](https://e.org) [gone](no.md) [[2024 log]]",
    )
    write("n/sub/b.md", "# B\nsee [a](../a.md)\n## The Coop\n[root](/a) [self](#b)")
    write("n/2024 log.md", "log [b](sub/b.md 'title')\n\n[ref]: <sub/b.md>")
    write("n/p.html", '<h1>P</h1><a class=x href="sub/b.md#The%20Coop">b</a><a href=mailto:a@b.c>m</a>')
    (dataset,) = load("n")
    assert {e.id: e.refs for e in dataset.events} == {
        "2024 log.md#1": ("sub/b.md#1",),
        "a.md#1": ("sub/b.md#1", "sub/b.md#2", "2024 log.md#1"),
        "p.html#1": ("sub/b.md#2",),
        "sub/b.md#1": ("a.md#1",),
        "sub/b.md#2": ("a.md#1", "sub/b.md#1"),
    }
    assert noted(dataset)["links to what is not in the folder"] == (1, ("a.md: no.md",))


def test_what_is_no_document_is_named(write):
    write("n/a.md", b"\xef\xbb\xbf# A\nparty \xf0\x9f\x8e\x89")
    write("n/b.txt", "größer 日本".encode("utf-16"))
    write("n/c.txt", b"caf\xe9")
    write("n/d.txt", b"\x00\x01\xfe")
    write("n/e.png", b"\x89PNG")
    write("n/empty.md", " \n")
    write("n/.git/config", "x")
    write("secret.txt", "outside")
    Path("n/link.txt").symlink_to(Path("secret.txt").resolve())
    Path("n/round").symlink_to(Path("n").resolve())
    (dataset,) = load("n")
    assert [e.text for e in dataset.events] == ["# A\nparty 🎉", "größer 日本", "café"]
    found = noted(dataset)
    assert found.pop("documents without a date, time unknown") == (3, ("a.md", "b.txt", "c.txt"))
    assert found == {
        "hidden files and folders, left out": (1, (".git",)),
        "links that lead out of the folder or to a folder, left out": (2, ("link.txt", "round")),
        "files that are not UTF-8, read as far as can be": (1, ("c.txt",)),
        "files that are no text, left out": (1, ("d.txt",)),
        "files of another kind, left out": (1, ("e.png",)),
        "documents without text": (1, ("empty.md",)),
    }


def test_a_diary_is_a_document(write):
    write("diary.txt", "2024-05-14 10:00 Met Bo at the lake.\n2024-05-15 11:30 Rain, so nothing: a day at home.\n")
    assert find_format(Path("diary.txt")).name == "folder"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("talk.txt", "03.08.21, 10:00 - Ana: Hi\n03.08.21, 10:01 - Bo: Hi\n"),
        ("talk.txt", "[2021-08-03, 10:00:11 PM] Ana: Hi\n[2021-08-03, 10:01:12 PM] Bo: Hi\n"),
        ("talk.txt", "2024년 5월 14일 오후 7:02, Ana : Hi\n2024년 5월 14일 오후 7:03, Bo : Hi\n"),
        ("talk.txt", "14.05.2024 | 19h02 | Ana | Hi\n14.05.2024 | 19h03 | Bo | Hi\n"),
        ("_chat.txt", "hello\nthere\n"),
        ("WhatsApp Chat with Ana.txt", "hello\nthere\n"),
        ("data.txt", '{"a": 1}'),
        ("data.md", '[{"a": 1}]'),
        ("folder/notes.md", "x"),
        ("folder/talk.txt", "8/3/21, 10:00 PM - Ana: Hi\n8/3/21, 10:01 PM - Bo: Hi\n"),
    ],
)
def test_data_and_chats_are_never_taken_for_prose(write, name, content):
    write(name, content)
    source = Path(name).parts[0]
    if source == "folder":
        write("folder/export.json" if name.endswith(".md") else "folder/other.md", "{}")
    with suppress(UserError):
        assert find_format(Path(source)).name != "folder"
    assert load(source, format="folder")[0].events != () or content == "x"


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt", "n/a.md"])
def test_documents_are_recognised(write, name):
    write(name, "[ ] buy hay\n2024-03-05 10:00 rain\nFrom now on")
    assert find_format(Path(name).parent if "/" in name else Path(name)).name == "folder"


@pytest.mark.parametrize(
    ("path", "time"),
    [
        ("2024-03-05 notes.md", "2024-03-05"),
        ("20240305.md", "2024-03-05"),
        ("log_2024_03_05.txt", "2024-03-05"),
        ("2024.03.05.txt", "2024-03-05"),
        ("2024-03.md", "2024-03"),
        ("2024/03/05.md", "2024-03-05"),
        ("2024/03/plan.md", "2024-03"),
        ("2023-01/2024-02-03.md", "2024-02-03"),
        ("2024-13-45 2024-01-02.md", "2024-01-02"),
    ],
)
def test_dates_in_names(path, time):
    assert date_in_name(path).text == time


@pytest.mark.parametrize(
    "path", ["notes.md", "budget 2024.md", "12345678.md", "id-20241345.md", "v2024-3.md", "1202401011.md"]
)
def test_names_without_a_date(path):
    assert date_in_name(path) is None


@pytest.mark.parametrize(
    ("head", "time"),
    [
        ("---\ncreated: 2024-01-02\nDate: 2024-03\n---\n", "2024-03"),
        ('+++\ndate = "2024-03-05T10:00:00+02:00"\n+++\n', "2024-03-05T10:00:00+02:00"),
        ("---\ndate: someday\ncreated: 2024-01-02 10:00:00\n---\n", "2024-01-02T10:00:00"),
        ("---\nmodified: 2024-01-02\n---\n", None),
        ("date: 2024-01-02\n", None),
    ],
)
def test_dates_in_front_matter(head, time):
    found = markdown_head(head + "text")
    assert (moment := found.moment()) is None or moment.text == time
    assert (moment is None) == (time is None)
    assert found.text.endswith("text")


def test_dates_in_html():
    assert html_head("<meta content='2024-03-05' property=article:published_time>").moment().text == "2024-03-05"
    assert html_head("<meta name=date><p>2024-03-05").moment() is None


@given(
    st.binary(max_size=120) | st.text(max_size=120).map(lambda text: f"---\n{text}".encode("utf-8", "surrogatepass"))
)
def test_any_file_is_read_or_refused(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("any")
    for name in ("a.md", "b.html", "2024-01-01 c.txt"):
        (folder / name).write_bytes(content)
    with suppress(UserError):
        (dataset,) = load(folder, format="folder")
        assert len({e.id for e in dataset.events}) == len(dataset.events)
