"""Histories of LoCoMo: long conversations of two people over many sessions, with questions.

A turn is one record. Its text is what was said, with the description of the picture that went with it; its time is that
of its session. Both speakers are people: their role is ``user``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.files import head_key, read_json
from designsearch.runtime.histories.images import with_image
from designsearch.runtime.histories.locomo_questions import read_questions
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import Record

_SESSION = re.compile(r"session_(\d+)")
_KEYS = ("qa", "conversation", "sample_id", "event_summary", "observation", "session_summary")


def _recognises(path: Path) -> bool:
    return bool(_files(path)) and all(head_key(file) in _KEYS for file in _files(path))


def _files(path: Path) -> list[Path]:
    """The files of a source: itself, or the JSON files of a folder."""
    if path.is_dir():
        return sorted(path.glob("*.json"))
    return [path] if path.suffix.lower() == ".json" else []


@loader("locomo", about="LoCoMo: a JSON file of conversations with `qa`", recognises=_recognises)
def read_locomo(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The conversations of a file, or of the JSON files of a folder, by ``sample_id``."""
    opened: dict[str, Callable[[], Dataset]] = {}
    for file in _files(path) if path.is_dir() else [path]:
        report = LoadReport()
        content = read_json(file, report)
        for number, sample in enumerate(content if isinstance(content, list) else [content], start=1):
            name = _name(file, number, sample)
            if name in opened:
                raise UserError(f"{file}: conversation {name!r} is there twice")
            opened[name] = partial(_read, name, sample, report)
    return opened


def _name(file: Path, number: int, sample: Any) -> str:
    """The name of a conversation."""
    if not isinstance(sample, dict) or not isinstance(sample.get("conversation"), dict):
        raise UserError(f"{file}: item {number} is no LoCoMo conversation (an object with `conversation` is needed)")
    return str(sample.get("sample_id") or f"conversation-{number}")


def _read(name: str, sample: dict[str, Any], of_file: LoadReport) -> Dataset:
    """One conversation with its questions."""
    report = LoadReport()
    report.merge(of_file)
    gold: dict[str, str | None] = {}
    events = tuple(_turns(sample["conversation"], gold, report))
    report.count("events", len(events))
    if not events:
        report.note("the history is empty", name)
    questions = read_questions(name, sample.get("qa") or [], gold, report)
    dataset = Dataset(name, events, questions, report)
    report.merge(dataset.log.report)
    return dataset


def _turns(conversation: dict[str, Any], gold: dict[str, str | None], report: LoadReport) -> Iterator[Record]:
    """The turns of all sessions; ``gold`` gets what shows that a turn was found."""
    numbers = sorted(int(m[1]) for key in conversation if (m := _SESSION.fullmatch(key)))
    dates = {int(m[1]) for key in conversation if (m := re.fullmatch(r"session_(\d+)_date_time", key))}
    if extra := dates - set(numbers):
        report.note("dates of sessions that are not there", number=len(extra))
    for number in numbers:
        session = f"session_{number}"
        report.count("sessions")
        turns = conversation[session]
        if not isinstance(turns, list):
            report.note("sessions that are no list of turns, left out", session)
            continue
        time = _time(conversation.get(f"{session}_date_time"), session, report)
        for position, turn in enumerate(turns, start=1):
            if not isinstance(turn, dict):
                report.note("turns that are no objects, left out", f"{session}[{position}]")
                continue
            yield _turn(turn, f"D{number}:{position}", session, time, gold, report)


def _time(raw: Any, session: str, report: LoadReport) -> str | None:
    """The time of a session."""
    if not raw:
        report.note("sessions without a date", session)
        return None
    try:
        return parse_time(raw).text
    except BadTimeError as error:
        report.note("times that cannot be read, taken as unknown", f"{session}: {error}")
        return None


def _turn(
    turn: dict[str, Any], position: str, session: str, time: str | None, gold: dict[str, str | None], report: LoadReport
) -> Record:
    """One turn as a record."""
    text, caption = str(turn.get("text") or ""), str(turn.get("blip_caption") or "")
    has_image = bool(caption or turn.get("img_url"))
    whole = with_image(text, caption, has_image=has_image)
    if has_image:
        report.count("turns with a picture")
    if not text:
        report.note("turns without words, kept", str(turn.get("dia_id") or position))
    if not turn.get("dia_id"):
        report.note("turns without an id, named by their place", position)
    record_id = str(turn.get("dia_id") or position)
    gold.setdefault(record_id, text or caption or None)
    meta = {key: turn[key] for key in ("img_url", "blip_caption") if turn.get(key)}
    return Record(
        id=record_id,
        text=whole,
        time=time,
        author=str(turn.get("speaker") or ""),
        role="user",
        session=session,
        source="conversation",
        meta=meta,
    )
