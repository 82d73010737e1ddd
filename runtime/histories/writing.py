"""Histories and questions written in our own formats, so that reading them gives the same again."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from designsearch.runtime.records import Question, Record

_TEXTS = ("author", "role", "session", "source", "section", "reply_to")


def history_text(events: Iterable[Record]) -> str:
    """A history as JSON lines, one event a line, in order of arrival."""
    return "".join(f"{_line(record_row(event))}\n" for event in events)


def questions_text(questions: Iterable[tuple[Question, str]]) -> str:
    """Questions as JSON lines, each with the name of the history that it is about (empty: whichever is loaded)."""
    return "".join(f"{_line(question_row(question, history))}\n" for question, history in questions)


def record_row(event: Record) -> dict[str, Any]:
    """An event as its line holds it; what is empty, or as it is where nothing is said, is left out."""
    row: dict[str, Any] = {"id": event.id}
    if event.event != "delete":
        row["text"] = event.text
    for key in ("time", "known_at"):
        if (time := getattr(event, key)) is not None:
            row[key] = time
    row |= {key: value for key in _TEXTS if (value := getattr(event, key))}
    if event.refs:
        row["refs"] = list(event.refs)
    if event.scope != ("user" if event.event == "add" else ""):
        row["scope"] = event.scope
    if event.event != "add":
        row["event"] = event.event
    return row | ({"meta": event.meta} if event.meta else {})


def question_row(question: Question, history: str = "") -> dict[str, Any]:
    """A question as its line holds it; the answer of one that is not answerable is left out."""
    row: dict[str, Any] = {"id": question.id, "question": question.question}
    if question.answerable:
        row |= {"answer": question.answer, "answer_type": question.answer_type}
        row |= {"alternatives": list(question.alternatives)} if question.alternatives else {}
    else:
        row["answerable"] = False
    row["type"] = question.type
    if question.as_of is not None:
        row["as_of"] = question.as_of
    row["evidence"] = [
        {"record": one.record} | ({"quote": one.quote} if one.quote else {}) for one in question.evidence
    ]
    if history:
        row["history"] = history
    return row | ({"meta": question.meta} if question.meta else {})


def _line(row: dict[str, Any]) -> str:
    """One line of JSON that any file of UTF-8 can hold: no half of a surrogate pair, no number that JSON lacks."""
    try:
        line = json.dumps(row, ensure_ascii=False, allow_nan=False)
    except ValueError:
        line = json.dumps(_finite(row), ensure_ascii=False, allow_nan=False)
    if line.isascii():
        return line
    return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _finite(value: Any) -> Any:
    """The value with null for each number that is infinite or none."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
