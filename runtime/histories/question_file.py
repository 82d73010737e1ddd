"""Questions in our own format: one a line, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import Problem, UserError
from designsearch.runtime.histories.duplicates import settle
from designsearch.runtime.histories.files import read_json_lines
from designsearch.runtime.histories.gold import ANSWER_TYPES, BadGoldError, content_id, typed_answer
from designsearch.runtime.histories.qa_rows import unwrapped
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.rows import (
    RowError,
    choice,
    kind_of,
    one_id,
    optional_text,
    raise_problems,
    unknown_keys,
)
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import AnswerType, Evidence, Question, Value

KEYS = (
    "id", "question", "answer", "answer_type", "alternatives", "type", "as_of", "answerable", "evidence", "history",
    "meta",
)  # fmt: skip
"""The keys of a question; any other is kept in ``meta`` and reported."""

_EVIDENCE_KEYS = ("record", "quote")


@dataclass(frozen=True)
class QuestionSet:
    """Questions about one history.

    Attributes:
        questions: in order, ids unique.
        report: what was read and what was odd about it.
    """

    questions: tuple[Question, ...]
    report: LoadReport


def read_question_file(path: Path) -> QuestionSet:
    """All questions of a file.

    Args:
        path: a file of JSON lines, one JSON array, or an object that wraps the questions as ``{"qa": [...]}``.

    Returns:
        The questions; duplicates are merged. A question's ``history``, where the file gives one, is in its ``meta``.

    Raises:
        UserError: the file cannot be read, or the same question has different gold answers (the ids are named).
        InvalidFileError: mistakes, each with its line and the question's id.
    """
    report, problems, questions = LoadReport(), list[Problem](), list[Question]()
    for line, value in unwrapped(read_json_lines(path, report), report):
        try:
            questions.append(_question(value, report))
        except RowError as mistake:
            problems.append(Problem(str(path), line, 0, mistake.path, str(mistake), mistake.hint))
    raise_problems(path, problems)
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(str(question.meta.get("history", "")), []).append(question)
    settled, conflicts = [], []
    for group in groups.values():
        unique, disagreeing = settle(group, report)
        settled += unique
        conflicts += disagreeing
    if conflicts:
        listed = "\n".join(f"  {conflict}" for conflict in conflicts)
        raise UserError(f"{path}: the same question has different gold answers; keep one of each:\n{listed}")
    if not settled:
        report.note("the file holds no question", path.name)
    return QuestionSet(tuple(settled), report)


def _question(value: Any, report: LoadReport) -> Question:
    """The question of one line."""
    if not isinstance(value, dict):
        raise RowError("", f"a question is a JSON object, not {kind_of(value)}")
    words = value.get("question")
    if not isinstance(words, str) or not words.strip():
        found = "missing" if words is None else "empty" if isinstance(words, str) else f"{kind_of(words)}, not words"
        raise RowError("question", f"is {found}")
    given = one_id(value["id"], "id") if value.get("id") is not None else ""
    as_of = _as_of(value.get("as_of"))
    answer, answer_type, alternatives, answerable = _gold(value, given or words, report)
    history = optional_text(value, "history")
    if not given:
        report.note("questions without an id, given one made from their content")
    return Question(
        id=given or content_id(history, words, answer, as_of),
        question=words,
        answer=answer,
        answer_type=answer_type,
        alternatives=alternatives,
        type=optional_text(value, "type") or "uncategorised",
        as_of=as_of,
        answerable=answerable,
        evidence=tuple(dict.fromkeys(_evidence(value.get("evidence"), "evidence"))),
        meta=_meta(value, history, report),
    )


def _meta(value: dict[str, Any], history: str, report: LoadReport) -> dict[str, Any]:
    """``meta`` with the keys that we do not know and the history that the question is about."""
    meta = value.get("meta")
    if meta is not None and not isinstance(meta, dict):
        raise RowError("meta", f"must be a JSON object, not {kind_of(meta)}")
    kept = {**unknown_keys(value, KEYS, report), **(meta or {})}
    return {**kept, "history": history} if history else kept


def _as_of(raw: Any) -> str | None:
    """The time of asking, in ISO 8601."""
    if raw is None:
        return None
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise RowError("as_of", f"must be a time in ISO 8601, not {kind_of(raw)}")
    try:
        return parse_time(raw).text
    except BadTimeError as error:
        raise RowError("as_of", str(error)) from error


def _gold(value: dict[str, Any], name: str, report: LoadReport) -> tuple[Value, AnswerType, tuple[str, ...], bool]:
    """The gold answer, its type, further right answers, and whether there is any."""
    answerable = value.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise RowError("answerable", f"must be true or false, not {kind_of(answerable)}")
    declared = choice(value, "answer_type", ANSWER_TYPES, "") or None
    if answerable is False:
        if value.get("answer") not in (None, ""):
            report.note("gold answers of questions that are not answerable, passed over", name)
        return None, "text", (), False
    try:
        answer, answer_type, alternatives = typed_answer(value.get("answer"), declared)
    except BadGoldError as error:
        raise RowError("answer", f"question {name!r}: {error}") from error
    more = value.get("alternatives")
    if more is not None and not (isinstance(more, list) and all(isinstance(item, str) and item for item in more)):
        raise RowError("alternatives", "must be an array of strings that are not empty")
    return answer, answer_type, (*alternatives, *(more or ())), True


def _evidence(raw: Any, path: str) -> Iterator[Evidence]:
    """Evidence of any shape: objects with ``record`` and ``quote``, ids, and lists of those in lists."""
    if raw is None:
        return
    if isinstance(raw, list):
        for i, item in enumerate(raw):
            yield from _evidence(item, f"{path}[{i}]")
    elif isinstance(raw, dict):
        if wrong := [key for key in raw if key not in _EVIDENCE_KEYS]:
            raise RowError(path, f"has the unknown key {wrong[0]!r} (known: {', '.join(_EVIDENCE_KEYS)})")
        quote = raw.get("quote")
        if quote is not None and not isinstance(quote, str):
            raise RowError(f"{path}.quote", f"must be a string, not {kind_of(quote)}")
        yield Evidence(one_id(raw.get("record"), f"{path}.record"), quote or None)
    else:
        yield Evidence(one_id(raw, path))
