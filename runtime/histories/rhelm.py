"""Histories of RHELM: a person's talks with an assistant, e-mails and documents over a year, with questions.

A turn of a talk is two records, the user's message and the assistant's reply; an e-mail is one; a document is one a
section. Times of e-mails and documents are days. Ids: ``2024-03-01:7:user``, ``2024-03-01:7:assistant``,
``2024-03-01:email:2``, ``05_notes_task_1a2b.md#3``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.files import read_json, read_json_lines, read_text
from designsearch.runtime.histories.html_sections import read_html
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.rhelm_questions import Archive, read_questions
from designsearch.runtime.histories.sections import read_markdown
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import Record

_FOLDERS = ("conversations", "emails", "attachments")
_READERS = {".md": read_markdown, ".markdown": read_markdown, ".html": read_html, ".htm": read_html}
_MAIL_DATE = re.compile(r"(\d{4})_(\d\d)_(\d\d)$")
_MAIL_END = re.compile(r"^={10,}[ \t]*$", re.MULTILINE)
_HEADER = re.compile(r"^(Sender|Recipient|Subject):[ \t]*(.*)$", re.MULTILINE)
_ORDINAL = re.compile(r"(\d+)_")


def _recognises(path: Path) -> bool:
    return path.is_dir() and (path / "conversations").is_dir()


@loader(
    "rhelm",
    about="RHELM: a folder with `conversations`, `emails`, `attachments`, `QA_final`",
    recognises=_recognises,
)
def read_rhelm(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The personas of a folder, by name."""
    if not _recognises(path):
        raise UserError(f"{path}: is no RHELM folder (one with a folder `conversations` in it is needed)")
    names = sorted({p.name for folder in _FOLDERS for p in (path / folder).glob("*") if p.is_dir()})
    return {name: partial(_read, path, name) for name in names}


def _read(path: Path, name: str) -> Dataset:
    """One persona."""
    report, archive = LoadReport(), Archive()
    days: dict[int, str] = {}
    events = [
        *_conversations(path / "conversations" / name, days, archive, report),
        *_emails(path / "emails" / name, archive, report),
        *_attachments(path / "attachments" / name, days, archive, report),
    ]
    report.count("events", len(events))
    if not events:
        report.note("the history is empty", name)
    rows = [row for file in _question_files(path, name) for row in read_json_lines(file, report)]
    if not rows:
        report.note("no official questions", name)
    questions = read_questions([value for _, value in rows], archive, report)
    dataset = Dataset(name, tuple(events), questions, report)
    report.merge(dataset.log.report)
    return dataset


def _question_files(path: Path, name: str) -> list[Path]:
    """The files with the questions about one persona."""
    pattern = re.compile(rf"(?:.*_)?qa_{re.escape(name)}(?:_(?:all|validated)\w*)?\.jsonl")
    return sorted(p for p in (path / "QA_final").glob("*.jsonl") if pattern.fullmatch(p.name))


def _conversations(folder: Path, days: dict[int, str], archive: Archive, report: LoadReport) -> list[Record]:
    """The messages of all talks; ``days`` gets the day of each file's ordinal."""
    events: list[Record] = []
    for file in sorted(folder.glob("*.json")):
        talk = read_json(file, report)
        if not isinstance(talk, dict) or not isinstance(talk.get("conversation"), list):
            raise UserError(f"{file}: is no RHELM conversation (an object with `conversation` is needed)")
        day = str(talk.get("date") or "")
        if ordinal := _ORDINAL.match(Path(str(talk.get("event_file") or "")).name):
            days[int(ordinal[1])] = day
        report.count("days of conversation")
        for position, turn in enumerate(talk["conversation"], start=1):
            if isinstance(turn, dict):
                events += _turn(turn, day, position, archive, report)
            else:
                report.note("turns that are no objects, left out", f"{day}:{position}")
    return events


def _turn(turn: dict[str, Any], day: str, position: int, archive: Archive, report: LoadReport) -> list[Record]:
    """The two messages of a turn."""
    place = f"{day}:{turn.get('turn', position)}"
    time = _time(turn.get("timestamp") or day, place, report)
    meta = {key: turn[key] for key in ("message_type", "research_document") if turn.get(key)}
    events = []
    for role in ("user", "assistant"):
        text = str(turn.get(role) or "")
        if not text:
            report.note(f"turns without words of the {role}", place)
            continue
        record_id = f"{place}:{role}"
        events.append(
            Record(
                record_id, text, time, role=role, author=role, session=day, source="conversation", meta=meta,
                reply_to=f"{place}:user" if role == "assistant" and turn.get("user") else "",
            )
        )  # fmt: skip
        report.count(f"{role} messages")
        if role == "user":
            archive.turns[place] = record_id
    return events


def _time(raw: Any, place: str, report: LoadReport) -> str | None:
    """A time in ISO 8601, or ``None`` where there is none that can be read."""
    if not raw:
        report.note("records without a time", place)
        return None
    try:
        return parse_time(raw).text
    except BadTimeError as error:
        report.note("times that cannot be read, taken as unknown", f"{place}: {error}")
        return None


def _emails(folder: Path, archive: Archive, report: LoadReport) -> list[Record]:
    """One record a mail; a file holds the mails of one day."""
    events = []
    for file in sorted(folder.glob("*.txt")):
        found = _MAIL_DATE.search(file.stem)
        day = "-".join(found.groups()) if found else ""
        time = _time(day, file.name, report)
        mails = archive.mails.setdefault(day, [])
        for text in filter(None, (part.strip() for part in _MAIL_END.split(read_text(file)))):
            record_id = f"{day or file.stem}:email:{len(mails) + 1}"
            mails.append(record_id)
            events.append(_mail(record_id, text, time, day, report))
    return events


def _mail(record_id: str, text: str, time: str | None, day: str, report: LoadReport) -> Record:
    """One mail, its headers left in the text."""
    headers = {key.lower(): value.strip() for key, value in _HEADER.findall(text)}
    if "sender" not in headers:
        report.note("e-mails without a sender", record_id)
    report.count("e-mails")
    name, address = parseaddr(headers.get("sender", ""))
    return Record(
        record_id, text, time, author=name or address, session=f"e-mails {day}".strip(), source="email",
        section=headers.get("subject", ""), meta=headers,
    )  # fmt: skip


def _attachments(folder: Path, days: dict[int, str], archive: Archive, report: LoadReport) -> list[Record]:
    """One record a section; a document is of the day with its ordinal."""
    events = []
    for file in sorted(p for p in folder.glob("*") if p.is_file()):
        if file.suffix.lower() not in _READERS:
            report.note("attachments of an unknown kind, left out", file.name)
            continue
        document = _READERS[file.suffix.lower()](read_text(file))
        ordinal = _ORDINAL.match(file.name)
        time = _time(days.get(int(ordinal[1])) if ordinal else None, file.name, report)
        ids = tuple(f"{file.name}#{n}" for n in range(1, len(document.sections) + 1))
        archive.documents[file.name] = (document, ids)
        report.count("attachments")
        if not ids:
            report.note("attachments without text", file.name)
        report.count("attachment sections", len(ids))
        events += [
            Record(record_id, section.text, time, session=file.name, source="attachment", section=section.path)
            for record_id, section in zip(ids, document.sections, strict=True)
        ]
    return events
