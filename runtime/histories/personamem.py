"""Histories of PersonaMem: long talks of a persona with an assistant, and questions with options to choose from.

``shared_contexts_SIZE.jsonl`` holds the talks by the id of their context, ``questions_SIZE.csv`` the questions. A
message is one record; the data set gives no times, so none is known. A message of the system begins a session; the card
in it that sums up the persona is from the makers of the data, not from the user, and is left out. A question is asked
after a number of messages, and what follows must not be seen: a context that is cut at several places is several
histories, ``ID@MESSAGES``. Its options stand in the words of a question; the right one is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.csv_rows import ENDS, heading, read_csv
from designsearch.runtime.histories.files import head_text, read_json_lines
from designsearch.runtime.histories.personamem_questions import read_questions
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record

_CONTEXTS, _QUESTIONS = "shared_contexts", "questions"
_COLUMNS = {"shared_context_id", "end_index_in_shared_context"}
_HEAD = re.compile(r'\s*\{\s*"[0-9a-f]{16,}"\s*:\s*\[\s*\{\s*"(?:role|content)"')
_NOTE = re.compile(r"^\s*\[?side[_ ]note\b.*$\n?", re.IGNORECASE | re.MULTILINE)
"""A line that the makers of the data wrote to themselves about what the persona likes now."""

_CARD = re.compile(r"\s*current user persona\s*:", re.IGNORECASE)

Rows = Mapping[str, Sequence[dict[str, Any]]]


def _recognises(path: Path) -> bool:
    if path.is_dir():
        return bool(_pairs(path))
    if path.suffix.lower() in ENDS:
        return set(heading(path)) >= _COLUMNS
    if path.suffix.lower() != ".jsonl":
        return False
    return path.name.startswith(_CONTEXTS) or _HEAD.match(head_text(path)) is not None


@loader(
    "personamem",
    about="PersonaMem: `shared_contexts_SIZE.jsonl` with `questions_SIZE.csv`",
    recognises=_recognises,
)
def read_personamem(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The contexts of a file of contexts or of questions (the other lies beside it), or of a folder of both."""
    if path.is_dir():
        pairs = _pairs(path)
    else:
        pairs = [_beside(path)] if path.suffix.lower() in ENDS else [(path, _questions_of(path))]
    if not pairs:
        raise UserError(f"{path}: is no PersonaMem folder (one with a file `{_CONTEXTS}_SIZE.jsonl` is needed)")
    opened: dict[str, Callable[[], Dataset]] = {}
    for contexts, questions in pairs:
        of_files = LoadReport()
        rows = _by_context(questions, of_files)
        for context, messages in _contexts(contexts, of_files):
            for name, cut, asked in _cuts(context, messages, rows.get(context, ()), of_files):
                if name in opened:
                    raise UserError(f"{contexts}: context {name!r} is there twice")
                opened[name] = partial(_read, name, messages[:cut], asked, LoadReport() if opened else of_files)
    return opened


def _pairs(folder: Path) -> list[tuple[Path, Path | None]]:
    """The files of contexts in a folder, each with its questions."""
    return [(file, _questions_of(file)) for file in sorted(folder.glob(f"{_CONTEXTS}*.jsonl"))]


def _questions_of(contexts: Path) -> Path | None:
    """The questions that lie beside a file of contexts; ``None`` where there are none."""
    stem = contexts.stem.replace(_CONTEXTS, _QUESTIONS, 1)
    beside = (contexts.with_name(stem + suffix) for suffix in (".csv", ".jsonl"))
    return next((file for file in beside if file != contexts and file.is_file()), None)


def _beside(questions: Path) -> tuple[Path, Path]:
    """A file of questions with the contexts that lie beside it."""
    contexts = questions.with_name(questions.stem.replace(_QUESTIONS, _CONTEXTS, 1) + ".jsonl")
    if contexts == questions or not contexts.is_file():
        raise UserError(f"{questions}: the talks are missing; {contexts.name} must lie beside it")
    return contexts, questions


def _by_context(path: Path | None, report: LoadReport) -> Rows:
    """The rows of a file of questions by the context that they are about."""
    if path is None:
        report.note("no official questions beside the contexts")
        return {}
    values = read_csv(path, report) if path.suffix.lower() in ENDS else read_json_lines(path, report)
    rows: dict[str, list[dict[str, Any]]] = {}
    for line, row in values:
        if isinstance(row, dict) and row.get("shared_context_id"):
            rows.setdefault(str(row["shared_context_id"]), []).append(row)
        else:
            report.note("questions about no context, left out", f"line {line}")
    return rows


def _contexts(path: Path, report: LoadReport) -> Iterator[tuple[str, list[Any]]]:
    """The contexts of a file: in each line one by its id, or several."""
    for line, value in read_json_lines(path, report):
        found = value if isinstance(value, dict) else {}
        if "shared_context_id" in found:
            found = {str(found["shared_context_id"]): found.get("messages")}
        fits = {name: messages for name, messages in found.items() if name and isinstance(messages, list)}
        if not fits:
            report.note("lines that hold no context, left out", f"line {line}")
        yield from fits.items()


def _cuts(
    context: str, messages: Sequence[Any], rows: Sequence[dict[str, Any]], report: LoadReport
) -> Iterator[tuple[str, int, list[dict[str, Any]]]]:
    """The places at which a context is cut: the name of the history, its messages, and what is asked there."""
    asked: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        raw = str(row.get("end_index_in_shared_context", "")).strip()
        cut = int(raw) if raw.isascii() and raw.isdecimal() and len(raw) < 10 else 0
        if not 0 < cut <= len(messages):
            report.note("questions asked at no place of their context, put at its end", f"{context}: {raw!r}")
            cut = len(messages)
        asked.setdefault(cut, []).append(row)
    for cut in sorted(asked or {len(messages): []}):
        yield (context if len(asked) < 2 else f"{context}@{cut}"), cut, asked.get(cut, [])


def _read(name: str, messages: Sequence[Any], rows: Sequence[dict[str, Any]], of_files: LoadReport) -> Dataset:
    """One context down to where it is cut, with what is asked there."""
    report = LoadReport()
    report.merge(of_files)
    events = tuple(_records(messages, report))
    report.count("events", len(events))
    return Dataset(name, events, read_questions(name, rows, report), report)


def _records(messages: Sequence[Any], report: LoadReport) -> Iterator[Record]:
    """The messages of a context."""
    session = 0
    for number, message in enumerate(messages, start=1):
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            report.note("messages without words, left out", f"message-{number}")
            continue
        role = str(message.get("role") or "")
        session += role == "system" or session == 0
        if role == "system" and _CARD.match(text):
            report.note("cards that sum up the persona, left out", f"message-{number}")
            continue
        plain = _NOTE.sub("", text)
        if plain != text:
            report.note("notes of the makers of the data taken out of messages", f"message-{number}")
        if not plain.strip():
            report.note("messages without words, left out", f"message-{number}")
            continue
        report.count(f"messages of the {role}" if role else "messages without a role")
        yield Record(
            id=f"message-{number}", text=plain, author=role, role=role, session=f"session-{session}",
            source="conversation",
        )  # fmt: skip
