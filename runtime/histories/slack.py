"""Histories of Slack: the folder or ZIP of an export, or the file of one channel and day.

A message is one record, a bot's too. Its session is its thread, else its channel and day: a channel goes on for years,
and what belongs together is a thread, or what was said around the same time. The channel is its section. Ids are
``CHANNEL:TS``, where TS is the time stamp that Slack itself names a message by; times are UTC. What the program says
itself, as that somebody joined, is marked in ``meta``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.export_values import UniqueIds, items, mapping, nothing_read
from designsearch.runtime.histories.files import json_of
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.slack_files import DayFile, opened, recognises
from designsearch.runtime.histories.slack_messages import settled
from designsearch.runtime.histories.slack_records import Channel
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.records import Record


@loader("slack", about="Slack: the folder or ZIP of an export, or the file of one day", recognises=recognises)
def read_slack(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of an export, named after its file or folder."""
    name = path.resolve().name if path.is_dir() else path.stem
    return {name: partial(_read, path, name)}


def _read(path: Path, name: str) -> Dataset:
    """All channels of an export, in order of time."""
    report, timed = LoadReport(), list[tuple[float, Record]]()
    with opened(path, report) as (workspace, files):
        for channel, values in _by_channel(files, report).items():
            reader = Channel(channel, workspace, settled(values, channel, report), report)
            instant = float("-inf")
            for record in reader.records():
                instant = parse_time(record.time).instant if record.time else instant
                timed.append((instant, record))
    timed.sort(key=lambda pair: pair[0])
    ids = UniqueIds(report)
    events = tuple(replace(record, id=ids.unique(record.id)) for _, record in timed)
    if not any(event.role != "system" for event in events):
        raise nothing_read(path, "a Slack export", report)
    report.count("events", len(events))
    return Dataset(name, events, (), report)


def _by_channel(files: Sequence[DayFile], report: LoadReport) -> dict[str, list[Any]]:
    """What stands in the files of each channel, in order."""
    found = dict[str, list[Any]]()
    for file in files:
        value = json_of(file.part.data(), file.part.place, report)
        report.count("day files")
        rows = items(value) or items(mapping(value).get("messages"))
        if not rows and isinstance(value, dict) and "ts" in value:
            rows = [value]
        if not rows and value != []:
            report.note("files that hold no array of messages, left out", file.part.name)
        found.setdefault(file.channel, []).extend(rows)
    report.count("channels", len(found))
    return found
