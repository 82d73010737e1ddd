"""What becomes of one derived file: lines that have to do with a record go, other values are blanked in place.

Lines of JSON are taken wherever they lie, as questions and results may lie anywhere. Other files are changed only
inside a folder that the program itself writes, which a ``manifest.json`` marks: a text that somebody wrote by hand is
told, and never touched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.figures import number_of
from designsearch.forgetting.log_file import dumped, without_references
from designsearch.forgetting.target import Target
from designsearch.forgetting.wording import FORGOTTEN, blanked

MANIFEST = "manifest.json"
LEDGER = "journal.log"
"""How the names of a study's ledger, and of copies that were kept of it, begin."""

_LINES = (".jsonl", ".ndjson")
_TEXTS = (".yaml", ".yml", ".txt", ".log")
_OF_QUESTIONS = ("question", "evidence")


@dataclass(frozen=True)
class Change:
    """What is done to a file.

    Attributes:
        path: the file.
        what: what goes, in words.
        text: its new text; ``None`` where the whole file goes.
    """

    path: Path
    what: str
    text: str | None


def change_of(path: Path, target: Target, ours: bool) -> Change | None:
    """What has to be done to a file; ``None`` where nothing has, or where it is not ours to change.

    Args:
        path: the file.
        target: what is forgotten.
        ours: whether it lies in a folder that the program writes.
    """
    kind = path.suffix.lower()
    is_ledger = path.name.startswith(LEDGER) and not path.name.endswith(".lock")
    if is_ledger and ours:
        kind = ".log"
    if kind not in (*_LINES, *_TEXTS, ".json", ".html") or not (ours or kind in _LINES):
        return None
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    if kind in _LINES:
        return _lines(path, text, target)
    if kind == ".json":
        return _document(path, text, target)
    if kind == ".html":
        return Change(path, "the whole file", None) if _in_html(text, target) else None
    if is_ledger:
        return _journal(path, text, target)
    made = blanked(text, target.runs) if target.says(text) else text
    return Change(path, "passages blanked", made) if made != text else None


def questions_in(path: Path, target: Target) -> Iterator[tuple[str, bool]]:
    """The words of the questions in a file of JSON lines, each with whether it was made from the records."""
    for line in path.read_bytes().decode("utf-8", "surrogateescape").split("\n"):
        value = _value(line)
        if isinstance(value, dict) and "design" not in value:
            marked = target.marks(value)
            yield from ((words, marked) for words in _asked(value))


def _asked(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(words := value.get("question"), str):
            yield words
        for item in value.values():
            yield from _asked(item)
    elif isinstance(value, list):
        for item in value:
            yield from _asked(item)


def _lines(path: Path, text: str, target: Target) -> Change | None:
    """A file of JSON lines: events, questions, results, items of supervision."""
    kept: list[str] = []
    gone = blank = 0
    lines = text.split("\n")
    is_copy = any(target.is_event(value) and target.is_forgotten(value) for value in map(_value, lines))
    for line in lines:
        made = _line(line, target, is_copy)
        if made is not None:
            kept.append(made)
            blank += made != line
        else:
            gone += 1
    if not gone and not blank:
        return None
    parts = [
        f"{number_of(number, 'line')} {done}" for number, done in ((gone, "removed"), (blank, "blanked")) if number
    ]
    return Change(path, ", ".join(parts), "\n".join(kept))


def _line(line: str, target: Target, is_copy: bool) -> str | None:
    """What is left of a line; ``None`` where it goes.

    Args:
        line: the line.
        target: what is forgotten.
        is_copy: whether the file holds events of the same history, so that an id in it is that of the record.
    """
    value = _value(line)
    if value is None:
        return line
    if target.is_event(value):
        return _event(line, value, target, is_copy)
    if not target.marks(value):
        return line
    if isinstance(value, dict) and "design" in value and "question_id" in value:
        return None if _is_on(value, target) else dumped(_result(value, target))
    return None


def _event(line: str, value: dict[str, Any], target: Target, is_copy: bool) -> str | None:
    """What is left of an event in a copy of the history, or in another one."""
    if target.holds(value) or target.is_forgotten(value) or (is_copy and str(value["id"]) in target.ids):
        return None
    made = without_references(value, target.ids) if is_copy else value
    return line if made == value else dumped(made)


def _is_on(value: dict[str, Any], target: Target) -> bool:
    """Whether a result is that of a question on the records."""
    return target.marks({key: value[key] for key in _OF_QUESTIONS if key in value} | _about(value))


def _about(value: dict[str, Any]) -> dict[str, Any]:
    return {"history": value["history"]} if "history" in value else {}


def _result(value: dict[str, Any], target: Target) -> dict[str, Any]:
    """A result whose context showed the records: what was measured stays, what was read and answered goes."""
    kept = target.scrubbed(value)
    kept["context"] = FORGOTTEN
    if kept.get("answer"):
        kept["answer"] = FORGOTTEN
    return {**kept, FORGOTTEN: True}


def _document(path: Path, text: str, target: Target) -> Change | None:
    value = _value(text)
    if value is None or not target.marks(value):
        return None
    made = dumped(target.scrubbed(value), indent=1) + "\n"
    return Change(path, "entries removed or blanked", made)


def _journal(path: Path, text: str, target: Target) -> Change | None:
    """The ledger: no line may go, as later ones count on it."""
    lines = text.split("\n")
    made = [
        json.dumps(target.scrubbed(value), ensure_ascii=True)
        if (value := _value(line)) is not None and target.marks(value)
        else line
        for line in lines
    ]
    blank = sum(new != old for new, old in zip(made, lines, strict=True))
    return Change(path, f"{number_of(blank, 'entry', 'entries')} blanked", "\n".join(made)) if blank else None


def _in_html(text: str, target: Target) -> bool:
    from html import unescape

    return target.says(text) or target.says(unescape(text))


def _value(line: str) -> Any:
    """The JSON of a line; ``None`` where it is none."""
    if not line.strip():
        return None
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
