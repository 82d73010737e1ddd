"""The history itself: its lines, the records that they act on, and the file without some of them.

A deletion that is appended would leave the text in the file, so the lines themselves go: the file is written anew
beside its place and moved there, and the other lines stay as they are, byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError, nearest
from designsearch.runtime.histories.base import find_format
from designsearch.runtime.histories.files import read_json_lines, read_text
from designsearch.runtime.histories.fold import EventLog
from designsearch.runtime.histories.jsonl import read_events
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record


@dataclass(frozen=True)
class LogFile:
    """A history of JSON lines.

    Attributes:
        path: the file.
        lines: its lines, without their ends.
        at: for each event, the index of its line.
        events: the events.
        ids: for each event, the record that it acts on (the second record with an id is ``id~2``).
    """

    path: Path
    lines: tuple[str, ...]
    at: tuple[int, ...]
    events: tuple[Record, ...]
    ids: tuple[str, ...]

    def check(self, names: list[str]) -> frozenset[str]:
        """The records of those ids.

        Raises:
            UserError: there is no such record.
        """
        known = set(self.ids)
        for name in names:
            if name not in known:
                hint = nearest(name, known)
                raise UserError(
                    f"{self.path}: holds no record {name!r}"
                    + (f" ({hint})" if hint else "")
                    + "; one that was forgotten before is found in further places only with its line put back first"
                )
        return frozenset(names)

    def without(self, forgotten: frozenset[str]) -> tuple[str, int, int]:
        """The text of the file without some records, the lines that go, and the lines in which a reference goes.

        A record whose id was only made unique because of one that goes gets that id written down, so that whatever
        names it still finds it.
        """
        bases = {event.id for event, name in zip(self.events, self.ids, strict=True) if name in forgotten}
        lines: list[str | None] = list(self.lines)
        gone = changed = 0
        for at, event, name in zip(self.at, self.events, self.ids, strict=True):
            if name in forgotten:
                lines[at] = None
                gone += 1
                continue
            has_reference = event.reply_to in forgotten or not forgotten.isdisjoint(event.refs)
            renamed = name != event.id and event.id in bases
            if has_reference or renamed:
                lines[at] = _rewritten(self.lines[at], name, forgotten)
                changed += has_reference
        return "\n".join(line for line in lines if line is not None), gone, changed


def read_log(path: Path) -> LogFile:
    """The lines of a history.

    Raises:
        UserError: it is not there, or is no history of JSON lines.
        InvalidFileError: a line has a mistake.
    """
    if not path.exists():
        raise UserError(f"{path}: there is no such file")
    kind = find_format(path, "auto").name
    text = read_text(path)
    if kind != "jsonl" or not path.is_file() or text.lstrip().startswith("["):
        raise UserError(
            f"{path}: is no history of JSON lines, and no other source is changed; make one with designsearch ingest "
            f"{path} -o history.jsonl, work with that, and remove the record from {path} by hand"
        )
    report = LoadReport()
    values = list(read_json_lines(path, report))
    events = read_events(values, path, report)
    if any(not _is_object(line) for line in text.split("\n") if line.strip()):
        raise UserError(f"{path}: one event has to stand on one line; designsearch ingest {path} -o FILE writes it so")
    ids = EventLog().append(events)
    return LogFile(path, tuple(text.split("\n")), tuple(at - 1 for at, _ in values), tuple(events), tuple(ids))


def _is_object(line: str) -> bool:
    return line.strip().startswith("{") and line.strip().endswith("}")


def _rewritten(line: str, name: str, forgotten: frozenset[str]) -> str:
    """The line under the id that its record has, without references to what is forgotten."""
    return dumped(without_references(json.loads(line) | {"id": name}, forgotten))


def refers(row: dict[str, Any], names: frozenset[str]) -> bool:
    """Whether an event is about one of some records, or refers to one."""
    return str(row.get("id")) in names or without_references(row, names) != row


def without_references(row: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """An event without references to some records."""
    made = dict(row)
    if str(made.get("reply_to")) in names:
        del made["reply_to"]
    refs = made.get("refs")
    if refs is not None:
        kept = [ref for ref in (refs if isinstance(refs, list) else [refs]) if str(ref) not in names]
        made["refs"] = kept if isinstance(refs, list) or not kept else refs
    return made


def dumped(value: Any, indent: int | None = None) -> str:
    """A value as JSON that any file of UTF-8 can hold."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text
