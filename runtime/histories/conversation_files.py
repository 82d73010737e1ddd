"""The conversations of an export of talks with an assistant: arrays or single objects in one JSON file or several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.export_parts import Part, parts_of, some_parts
from designsearch.runtime.histories.export_values import (
    UniqueIds,
    earliest,
    label,
    made_id,
    mapping,
    nothing_read,
    string,
)
from designsearch.runtime.histories.files import json_of
from designsearch.runtime.histories.json_head import head_keys
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record

_NAME = re.compile(r"conversations?(?:[-_. ]?\(?\d+\)?)*\.json", re.IGNORECASE)
_LOOKED_INTO = 20
"""Files of a folder or an archive whose heads are read to find out what it is."""


@dataclass(frozen=True, slots=True)
class ConversationFormat:
    """What one assistant's export looks like.

    Attributes:
        product: its name, for messages.
        key: the key that each of its conversations has.
        other: keys that none of them has.
        id_keys: the keys of a conversation's id, the first that is given counts.
        title_key: the key of its title.
    """

    product: str
    key: str
    other: frozenset[str]
    id_keys: Sequence[str]
    title_key: str

    def recognises(self, path: Path) -> bool:
        """Whether a file, folder or archive holds such conversations, by names and heads of files."""
        if path.is_file() and path.suffix.lower() not in (".json", ".zip"):
            return False
        with some_parts(path) as parts:
            return any(self.fits(part) for part in _likely(parts)[:_LOOKED_INTO])

    def fits(self, part: Part) -> bool:
        """Whether a file holds such conversations, by its head."""
        keys = head_keys(part.head())
        return self.key in keys and not keys & self.other


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of an export.

    Attributes:
        id: its id, or one made from what it holds.
        title: what the person or the product called it, may be empty.
        value: the object itself.
    """

    id: str
    title: str
    value: Mapping[str, Any]


def read_conversations(
    path: Path,
    name: str,
    form: ConversationFormat,
    records_of: Callable[[Conversation, LoadReport], list[Record]],
) -> Dataset:
    """One history of all conversations of an export, the earliest first.

    Args:
        path: a file, folder or archive.
        name: the history's name.
        form: what the export looks like.
        records_of: the records of one conversation in order, with ids that are its own; reports what is left out.

    Raises:
        UserError: a file cannot be read, or there is no message in any.
    """
    report = LoadReport()
    talks, known = list[list[Record]](), set[tuple[str, ...]]()
    with parts_of(path, report) as parts:
        for conversation in _conversations(_chosen(parts, path, form, report), form, report):
            records = records_of(conversation, report)
            if not records:
                report.note("conversations without a message that was read", conversation.title or conversation.id)
            talks.append(_new(records, known, report))
    talks.sort(key=lambda records: earliest([record.time for record in records]))  # exports have the newest one first
    events = tuple(_with_unique_ids([record for records in talks for record in records], report))
    for event in events:
        report.count("attached texts" if event.source == "attachment" else f"{event.role} messages")
    if not events:
        raise nothing_read(path, f"a {form.product} export", report)
    report.count("events", len(events))
    return Dataset(name, events, (), report)


def _new(records: Sequence[Record], known: set[tuple[str, ...]], report: LoadReport) -> list[Record]:
    """The records that no earlier copy of the same conversation had."""
    keys = [(record.session, record.id, record.text, record.time or "") for record in records]
    fresh = [record for record, key in zip(records, keys, strict=True) if key not in known]
    if len(fresh) < len(records):
        report.note("messages that are there twice, the copies left out", number=len(records) - len(fresh))
    known.update(keys)
    return fresh


def _with_unique_ids(records: Sequence[Record], report: LoadReport) -> Iterator[Record]:
    """The records with ids that no other one has; what they point to, within their conversation, follows."""
    ids, given = UniqueIds(report), dict[tuple[str, str], str]()
    for record in records:
        session = record.session
        reply_to = given.get((session, record.reply_to), record.reply_to)
        refs = tuple(given.get((session, ref), ref) for ref in record.refs)
        given[session, record.id] = unique = ids.unique(record.id)
        yield replace(record, id=unique, reply_to=reply_to, refs=refs)


def _likely(parts: Sequence[Part]) -> list[Part]:
    """The JSON files, those that are called after conversations first."""
    files = [part for part in parts if part.path.suffix.lower() == ".json"]
    return sorted(files, key=lambda part: _NAME.fullmatch(part.path.name) is None)


def _chosen(parts: Sequence[Part], path: Path, form: ConversationFormat, report: LoadReport) -> list[Part]:
    """The files to read: the one that was named, or those that hold conversations by their name or their head."""
    if not path.is_dir() and len(parts) == 1 and parts[0].place == path:
        return list(parts)
    chosen = []
    for part in parts:
        is_json = part.path.suffix.lower() == ".json"
        if is_json and (_NAME.fullmatch(part.path.name) or form.fits(part)):
            chosen.append(part)
        else:
            report.note("files that hold no conversations, left out", part.name)
    return chosen


def _conversations(parts: Sequence[Part], form: ConversationFormat, report: LoadReport) -> Iterator[Conversation]:
    """Every conversation of the files; items that are none are reported."""
    for part in parts:
        value = json_of(part.data(), part.place, report)
        found = value if isinstance(value, list) else [value]
        report.count("JSON files")
        if not found:
            report.note("files with an empty array", part.name)
        for number, item in enumerate(found, start=1):
            place = f"{part.name}[{number}]" if isinstance(value, list) else part.name
            if not isinstance(item, dict):
                report.note("items that are no objects, left out", place)
            elif form.key not in item:
                shown = ", ".join(list(item)[:5])[:80]
                report.note(f"objects without `{form.key}`, which are no conversations, left out", f"{place}: {shown}")
            else:
                report.count("conversations")
                yield Conversation(_id(item, form), string(item.get(form.title_key)).strip(), item)


def _id(item: Mapping[str, Any], form: ConversationFormat) -> str:
    """The id of a conversation; made from its title, its time and the ids in it where it has none."""
    given = next((found for key in form.id_keys if (found := label(item.get(key)))), "")
    if given:
        return given
    inner = item[form.key]
    within = [label(mapping(one).get("uuid")) or label(one) for one in inner] if isinstance(inner, dict | list) else []
    stamp = item.get("create_time", item.get("created_at"))
    return made_id(string(item.get(form.title_key)), str(stamp) if isinstance(stamp, str | float) else "", *within)
