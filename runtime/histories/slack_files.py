"""The files of a Slack export: one a channel and day, and those about people and channels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from designsearch.runtime.histories.export_parts import Part, parts_of, some_parts
from designsearch.runtime.histories.json_head import head_keys
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.slack_people import CHANNELS, USERS, Workspace, workspace_of

_DAY = re.compile(r"\d{4}-\d\d-\d\d\.json", re.IGNORECASE)
_MESSAGE_KEYS = frozenset({"type", "user", "text", "subtype", "bot_id", "thread_ts"})
_LOOKED_INTO = 20
"""Files of a folder or an archive whose heads are read to find out what it is."""


@dataclass(frozen=True, slots=True)
class DayFile:
    """A file of messages.

    Attributes:
        channel: the folder it is in; its own name without the ending where that is no date and in no folder.
        part: the file.
    """

    channel: str
    part: Part


def recognises(path: Path) -> bool:
    """Whether a file, folder or archive holds messages of Slack, by names and heads of files."""
    if path.is_file() and path.suffix.lower() not in (".json", ".zip"):
        return False
    with some_parts(path) as parts:
        files = sorted((part for part in parts if _is_json(part)), key=lambda part: not _DAY.fullmatch(part.path.name))
        return any(_holds_messages(part) for part in files[:_LOOKED_INTO])


@contextmanager
def opened(path: Path, report: LoadReport) -> Iterator[tuple[Workspace, list[DayFile]]]:
    """What an export says of itself, and its files of messages; readable as long as the context lasts.

    Raises:
        UserError: a file that says who people are cannot be read.
    """
    with parts_of(path, report) as parts:
        alone = path.is_file() and len(parts) == 1 and parts[0].place == path
        about = _beside(path) if alone else parts
        yield (
            workspace_of(about, path.stem if alone else "", report),
            [_day_file(part, path.resolve().parent.name) for part in parts]
            if alone
            else _day_files(parts, path, report),
        )


def _day_files(parts: Sequence[Part], path: Path, report: LoadReport) -> list[DayFile]:
    """The files of messages of a folder or an archive; the others are named."""
    found, name = [], path.resolve().name if path.is_dir() else path.stem
    for part in parts:
        own_name = part.path.name.lower()
        if own_name.endswith(USERS) or own_name in CHANNELS:
            continue
        if _is_json(part) and (_DAY.fullmatch(own_name) or _holds_messages(part)):
            found.append(_day_file(part, name))
        else:
            report.note("files that hold no messages, left out", part.name)
    return found


def _day_file(part: Part, outer: str) -> DayFile:
    """A file of messages; ``outer`` is the name of the folder or archive in which its own path begins."""
    folder = part.path.parent.name
    return DayFile(folder or (outer if _DAY.fullmatch(part.path.name) else part.path.stem), part)


def _is_json(part: Part) -> bool:
    return part.path.suffix.lower() == ".json"


def _holds_messages(part: Part) -> bool:
    keys = head_keys(part.head())
    return "ts" in keys and bool(keys & _MESSAGE_KEYS)


def _beside(path: Path) -> list[Part]:
    """The files beside a single file, and those of the folder above, that may say who people are."""
    found = list[Part]()
    for folder in (path.parent, path.parent / ".."):
        if not any(part.path.name.lower().endswith(USERS) for part in found):
            names = sorted(name for name in _listed(folder) if name.lower().endswith((USERS, *CHANNELS)))
            for name in names:
                with some_parts(folder / name) as parts:
                    found += [part for part in parts if "id" in head_keys(part.head())]
    return found


def _listed(folder: Path) -> list[str]:
    try:
        return [file.name for file in folder.iterdir()]
    except OSError:
        return []
