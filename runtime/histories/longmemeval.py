"""Histories of LongMemEval: for each question a haystack of dated talks of a user with an assistant.

A turn is one record, its time that of its session. Sessions are numbered as they stand in the haystack: the ids that
the data set gives them tell which hold the answer, as do the marks of turns, and neither reaches a record. An instance
is one history with one question, both called after ``question_id``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.files import head_text, read_json_lines
from designsearch.runtime.histories.gold import BadGoldError, typed_answer
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import Evidence, Question, Record

_HEAD_BYTES = 65_536
_DATE = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\s*\([A-Za-z]+\))?(?:\s+(\d{1,2}):(\d\d))?")
_NOT_ANSWERABLE = "_abs"
"""How the id of a question ends to which the haystack holds no answer."""


def _recognises(path: Path) -> bool:
    if not path.is_file() or path.suffix.lower() not in (".json", ".jsonl", ".ndjson"):
        return False
    head = head_text(path, _HEAD_BYTES)
    return head.lstrip()[:1] in ("[", "{") and '"haystack_' in head and '"question' in head


@loader("longmemeval", about="LongMemEval: a JSON file of questions, each with its haystack", recognises=_recognises)
def read_longmemeval(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The instances of a file, by ``question_id``."""
    of_file = LoadReport()
    opened: dict[str, Callable[[], Dataset]] = {}
    for number, (line, row) in enumerate(read_json_lines(path, of_file), start=1):
        if not isinstance(row, dict) or not isinstance(row.get("haystack_sessions"), list):
            of_file.note("instances without a haystack, left out", f"line {line}")
            continue
        name = wanted = str(row.get("question_id") or f"question-{number}")
        copies = 1
        while name in opened:
            copies += 1
            name = f"{wanted}~{copies}"
        opened[name] = partial(_read, name, row, of_file if not opened else LoadReport())
    if not opened:
        raise UserError(f"{path}: is no LongMemEval file (objects with `haystack_sessions` are needed)")
    return opened


def _read(name: str, row: dict[str, Any], of_file: LoadReport) -> Dataset:
    """One haystack with its question."""
    report = LoadReport()
    report.merge(of_file)
    marked: list[str] = []
    in_answer: list[str] = []
    answers = set(map(str, _items(row.get("answer_session_ids"))))
    events: list[Record] = []
    for number, turns, time, original in _sessions(row, report):
        found = list(_turns(turns, f"session-{number}", time, marked, report))
        if original in answers:
            in_answer += [event.id for event in found if event.role == "user"]
        events += found
    report.count("events", len(events))
    question = _question(name, row, marked or in_answer, report)
    return Dataset(name, tuple(events), () if question is None else (question,), report)


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _sessions(row: dict[str, Any], report: LoadReport) -> Iterator[tuple[int, list[Any], str | None, str]]:
    """Each session with its number, its turns, its time, and the id that the data set gives it."""
    dates, ids = _items(row.get("haystack_dates")), _items(row.get("haystack_session_ids"))
    for number, turns in enumerate(row["haystack_sessions"], start=1):
        if not isinstance(turns, list):
            report.note("sessions that are no list of turns, left out", f"session-{number}")
            continue
        report.count("sessions")
        raw = dates[number - 1] if number <= len(dates) else None
        yield number, turns, _time(raw, f"session-{number}", report), str(ids[number - 1]) if number <= len(ids) else ""


def _time(raw: Any, place: str, report: LoadReport) -> str | None:
    """The time of a session or a question: ``2023/05/20 (Sat) 02:21``, or any that is understood elsewhere."""
    if raw is None or raw == "":
        report.note("without a date", place)
        return None
    text = str(raw).strip()
    if found := _DATE.fullmatch(text):
        year, month, day, hour, minute = found.groups()
        text = f"{year}-{int(month):02d}-{int(day):02d}" + (f"T{int(hour):02d}:{minute}" if hour else "")
    try:
        return parse_time(text).text
    except BadTimeError as error:
        report.note("times that cannot be read, taken as unknown", f"{place}: {error}")
        return None


def _turns(
    turns: Sequence[Any], session: str, time: str | None, marked: list[str], report: LoadReport
) -> Iterator[Record]:
    """The turns of a session; ``marked`` gets the ids of those that hold the answer."""
    asked = ""
    for position, turn in enumerate(turns, start=1):
        text = turn.get("content") if isinstance(turn, dict) else None
        if not isinstance(text, str) or not text.strip():
            report.note("turns without words, left out", f"{session}:{position}")
            continue
        role = str(turn.get("role") or "")
        record_id = f"{session}:{position}"
        if turn.get("has_answer") is True:
            marked.append(record_id)
        report.count(f"turns of the {role}" if role else "turns without a role")
        yield Record(
            id=record_id, text=text, time=time, author=role, role=role, session=session, source="conversation",
            reply_to=asked if role == "assistant" else "",
        )  # fmt: skip
        asked = record_id if role == "user" else ""


def _question(name: str, row: dict[str, Any], evidence: Sequence[str], report: LoadReport) -> Question | None:
    """The question of an instance; ``None`` where it has no words or no usable answer."""
    words = row.get("question")
    if not isinstance(words, str) or not words.strip():
        report.note("instances without a question", name)
        return None
    kind, as_of = str(row.get("question_type") or "uncategorised"), row.get("question_date")
    asked_at = _time(as_of, f"question {name}", report) if as_of else None
    report.count("questions")
    if str(row.get("question_id") or "").endswith(_NOT_ANSWERABLE):
        return Question(name, words, type=kind, as_of=asked_at, answerable=False)
    try:
        answer, answer_type, alternatives = typed_answer(row.get("answer"))
    except BadGoldError as error:
        report.note("questions left out for their gold answer", f"{name}: {error}")
        return None
    if not evidence:
        report.note("questions without evidence", name)
    return Question(
        name, words, answer, answer_type, alternatives, kind, asked_at,
        evidence=tuple(Evidence(record) for record in evidence),
    )  # fmt: skip
