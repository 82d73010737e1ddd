"""Histories of WhatsApp: chats exported as text, in the forms of all locales and telephones.

A message is one record: who sent it, what they wrote, when their telephone said it was. That time is local and has no
zone. A day of a chat is a session, since a chat goes on for years; the name of the chat is the section. What the
program says itself, and what stands for media, is marked in ``meta``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.export_parts import Part, parts_of, some_parts
from designsearch.runtime.histories.export_values import UniqueIds, made_id, nothing_read
from designsearch.runtime.histories.files import text_of
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.whatsapp_marks import is_of_the_program, words_of
from designsearch.runtime.histories.whatsapp_messages import Message, messages_of
from designsearch.runtime.histories.whatsapp_times import local_times, stamp_of
from designsearch.runtime.records import Record

_END = ".txt"
_CHAT = "_chat"
"""The name without ending that iPhones give every chat."""

_NAMED = re.compile(r"_chat\.txt|(?=.*whatsapp)(?=.*chat).*\.txt", re.IGNORECASE)
"""Names that WhatsApp gives to chats; one that cannot be read is told, and never taken for prose."""

_FEWEST_HEADS = 2
"""Lines with dates that make a text a chat where it does not begin with one."""


def _recognises(path: Path) -> bool:
    if path.is_file() and path.suffix.lower() not in (_END, ".zip"):
        return False
    if path.is_file() and _NAMED.fullmatch(path.name):
        return True
    with some_parts(path) as parts:
        return any(_is_chat(part) for part in parts if part.path.suffix.lower() == _END)


def _is_chat(part: Part) -> bool:
    """Whether a text begins with messages, at least one of which has a sender."""
    lines = [line for line in part.head().split("\n") if line.strip()]
    heads = [stamp_of(line) for line in lines]
    found = [head for head in heads if head is not None]
    begins = bool(heads) and heads[0] is not None
    return (begins or len(found) >= _FEWEST_HEADS) and any(": " in rest for _, rest in found)


@loader("whatsapp", about="WhatsApp: a chat exported as text, or its folder or ZIP", recognises=_recognises)
def read_whatsapp(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of an export, named after its file or folder."""
    name = path.resolve().name if path.is_dir() else path.stem
    return {name: partial(_read, path, name)}


def _read(path: Path, name: str) -> Dataset:
    """All chats of an export."""
    report = LoadReport()
    ids, events, first = UniqueIds(report), list[Record](), ""
    with parts_of(path, report) as parts:
        for part in _chosen(parts, path, report):
            text = text_of(part.data(), part.place)
            first = first or next((line.strip() for line in text.split("\n") if line.strip()), "")
            chat = part.path.stem if part.path.stem != _CHAT or (path.is_file() and len(parts) == 1) else ""
            report.count("chats")
            events += _records(text, chat or part.path.parent.name or name, ids, report)
    if not any(event.author for event in events):
        error = nothing_read(path, "a WhatsApp chat", report)
        raise UserError(f"{error}\n  first line: {first[:120]!r}") if first else error
    report.count("events", len(events))
    return Dataset(name, tuple(events), (), report)


def _chosen(parts: Sequence[Part], path: Path, report: LoadReport) -> list[Part]:
    """The chats: the one file that was named, or those of a folder or an archive."""
    if not path.is_dir() and len(parts) == 1 and parts[0].place == path:
        return list(parts)
    chosen = [part for part in parts if part.path.suffix.lower() == _END]
    chats = [part for part in chosen if part.path.stem == _CHAT or len(chosen) == 1 or _is_chat(part)]
    for part in parts:
        if part not in chats:
            report.note("files that are no chat, left out", part.name)
    return chats


def _records(text: str, chat: str, ids: UniqueIds, report: LoadReport) -> list[Record]:
    """The messages of one chat."""
    messages = messages_of(text, report)
    times = local_times([message.stamp for message in messages], report)
    return [
        record
        for message, time in zip(messages, times, strict=True)
        if (record := _record(message, time, chat, ids, report)) is not None
    ]


def _record(message: Message, time: str | None, chat: str, ids: UniqueIds, report: LoadReport) -> Record | None:
    """One message; ``None`` where it has no words and stands for nothing."""
    words = words_of(message.text)
    if not words.text.strip():
        report.note("messages without words, left out", time or "")
        return None
    of_program = not message.sender or (not words.media and is_of_the_program(message.text, message.stamp.style))
    author = "" if of_program else message.sender
    meta = {"system": of_program, "media": words.media, "edited": words.edited}
    if of_program:
        report.count("lines of the program")
        meta["label"] = message.sender
    else:
        report.count("messages")
        for what, is_so in (("messages with media", words.media), ("edited messages", words.edited)):
            if is_so:
                report.count(what)
    return Record(
        id=ids.unique(made_id(time or "", author, words.text)),
        text=words.text,
        time=time,
        author=author,
        role="system" if of_program else "user",
        session=f"{chat} {time[:10]}" if time else chat,
        source="conversation",
        section=chat,
        meta={key: value for key, value in meta.items() if value},
    )
