"""Histories of documents: a folder of Markdown, HTML and plain text, or one such file.

A section is one record, a document is its session. Its time is the date that it gives itself, else that in its name,
with the precision that it has there. The time at which the file was last written is none of the document's: copying or
unpacking makes it today. Links to other documents of the folder are references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.charsets import guessed
from designsearch.runtime.histories.document_dates import Head, date_in_name, html_head, markdown_head
from designsearch.runtime.histories.document_links import Links, links_in
from designsearch.runtime.histories.files import decoded, head_text, read_bytes
from designsearch.runtime.histories.html_sections import read_html
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.sections import Document, Section, read_markdown
from designsearch.runtime.histories.tree import files_of, some_files
from designsearch.runtime.records import Record

_MARKDOWN, _HTML, _TEXT = (".md", ".markdown", ".mdx"), (".html", ".htm", ".xhtml"), (".txt", ".text")
_ENDS = (*_MARKDOWN, *_HTML, *_TEXT)
_DATA_ENDS = (".json", ".jsonl", ".ndjson", ".mbox", ".eml", ".zip")
"""What exports of other programs consist of; a folder with any is a folder of documents only where that is said."""

_DATA = re.compile(r"\s*(?:\{|\[\s*[\[{\"]|From \S+@)")
_CHAT = re.compile(
    r"^\W{0,3}\d{1,4}(?:[./-]|[年년] ?)\d{1,2}(?:[./-]|[月월] ?)\d{1,4}\D{1,12}\d{1,2}[:.h时時]\d\d"
    r"[^\n]{0,30}?(?: - |\] ?|[,|] ?[^\n,:|]{1,40}[:|] )",
    re.MULTILINE,
)
_FEWEST_LINES = 2
"""Lines that begin with date and time which make a text a log of a chat."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def _recognises(path: Path) -> bool:
    if path.is_file():
        return _is_document(path)
    if not path.is_dir():
        return False
    files = some_files(path)
    ends = {file.suffix.lower() for file in files}
    if ends & set(_DATA_ENDS) or not ends & set(_ENDS):
        return False
    return all(_is_document(file) for file in files if file.suffix.lower() in _TEXT)


def _is_document(path: Path) -> bool:
    """Whether a file is a document by its name, and no data or log of a chat by its head."""
    suffix = path.suffix.lower()
    if suffix not in _ENDS:
        return False
    head = head_text(path)
    if suffix in _HTML:
        return True
    return not (_DATA.match(head) or (suffix in _TEXT and len(_CHAT.findall(head)) >= _FEWEST_LINES))


@dataclass(frozen=True, slots=True)
class _Read:
    """One document.

    Attributes:
        path: relative to the folder, steps parted by ``/``.
        head: what it says of itself.
        document: its sections.
        links: the links of each section.
    """

    path: str
    head: Head
    document: Document
    links: tuple[tuple[str, ...], ...]

    @property
    def ids(self) -> list[str]:
        """The ids of the sections."""
        return [f"{self.path}#{number}" for number in range(1, len(self.document.sections) + 1)]


@loader(
    "folder", about="a folder of Markdown, HTML and text files, or one of these", recognises=_recognises, general=True
)
def read_folder(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of a folder or a document, named after it."""
    name = path.resolve().name if path.is_dir() else path.stem
    return {name: partial(_read, path, name)}


def _read(path: Path, name: str) -> Dataset:
    """All documents of a source."""
    report = LoadReport()
    files = files_of(path, report) if path.is_dir() else [path]
    documents = list(_documents(files, path, report))
    links = Links({one.path: (one.document, one.ids) for one in documents})
    events = tuple(event for one in documents for event in _records(one, links, report))
    report.count("events", len(events))
    if not events:
        report.note("the history is empty", path.name)
    return Dataset(name, events, (), report)


def _documents(files: Iterable[Path], root: Path, report: LoadReport) -> Iterator[_Read]:
    """The documents among some files; the others are named."""
    for file in files:
        place = file.relative_to(root).as_posix() if root.is_dir() else file.name
        if root.is_dir() and file.suffix.lower() not in _ENDS:
            report.note("files of another kind, left out", place)
            continue
        text = _text(file, place, report)
        if text is not None:
            one = _document(place, file.suffix.lower(), text)
            report.count("documents")
            if not one.document.sections:
                report.note("documents without text", place)
            yield one


def _text(file: Path, place: str, report: LoadReport) -> str | None:
    """The text of a file, ``None`` where it has none."""
    try:
        data = read_bytes(file)
    except UserError as error:
        report.note("files that cannot be read, left out", str(error))
        return None
    try:
        text, foreign = decoded(data), False
    except UnicodeDecodeError:
        text, foreign = guessed(data), True
    if _CONTROL.search(text):
        report.note("files that are no text, left out", place)
        return None
    if foreign:
        report.note("files that are not UTF-8, read as far as can be", place)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _document(place: str, suffix: str, text: str) -> _Read:
    """A document with its head, its sections and their links."""
    if suffix in _HTML:
        head, document = html_head(text), read_html(text)
        own = tuple(links_in(text))
        return _Read(place, head, document, tuple(own if n == 0 else () for n in range(len(document.sections))))
    head = markdown_head(text)
    if suffix in _MARKDOWN:
        document = read_markdown(head.text)
    else:
        whole = head.text.strip("\n").rstrip()
        document = Document((Section("", whole),) if whole.strip() else (), ())
    return _Read(place, head, document, tuple(tuple(links_in(section.text)) for section in document.sections))


def _records(one: _Read, links: Links, report: LoadReport) -> Iterator[Record]:
    """The sections of a document."""
    moment = one.head.moment() or date_in_name(one.path)
    if moment is None and one.document.sections:
        report.note("documents without a date, time unknown", one.path)
    title = one.head.entries.get("title", "")
    for record_id, section, targets in zip(one.ids, one.document.sections, one.links, strict=True):
        found = {link: links.target(one.path, link) for link in targets}
        for link, target in found.items():
            if target is None:
                report.note("links to what is not in the folder", f"{one.path}: {link.removeprefix('[[')}")
        yield Record(
            id=record_id,
            text=section.text,
            time=None if moment is None else moment.text,
            author=one.head.entries.get("author", ""),
            session=one.path,
            source="document",
            section=section.path or title,
            refs=tuple(dict.fromkeys(target for target in found.values() if target and target != record_id)),
        )
