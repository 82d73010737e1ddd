"""The questions of RHELM, their evidence traced to records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from designsearch.runtime.histories.duplicates import settle
from designsearch.runtime.histories.gold import BadGoldError, content_id, evidence_ids, typed_answer
from designsearch.runtime.histories.headings import find_sections
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.sections import Document
from designsearch.runtime.histories.times import BadTimeError, parse_time
from designsearch.runtime.records import Evidence, Question

_TURNS = re.compile(r"\d{4}-\d\d-\d\d:\s*\d+(?:\s*[,;]\s*(?:\d{4}-\d\d-\d\d:\s*)?\d+)*")
_TURN = re.compile(r"\s*(?:(\d{4}-\d\d-\d\d):\s*)?(\d+)")
_MAIL = re.compile(r"e-?mails?_(\d{4})[-_](\d\d)[-_](\d\d)(?::\s*(.*))?", re.IGNORECASE | re.DOTALL)
_MAIL_NUMBER = re.compile(r"e-?mail\s*#?\s*(\d+)", re.IGNORECASE)
_FILE = re.compile(r"(.+?\.(?:md|markdown|html?))(?:\s*:\s*(.*))?", re.IGNORECASE | re.DOTALL)


@dataclass
class Archive:
    """What evidence can name.

    Attributes:
        turns: ``DATE:TURN`` to the id of the user's message.
        mails: day to the ids of its mails, in order.
        documents: file name to its sections and their ids.
    """

    turns: dict[str, str] = field(default_factory=dict)
    mails: dict[str, list[str]] = field(default_factory=dict)
    documents: dict[str, tuple[Document, tuple[str, ...]]] = field(default_factory=dict)


def read_questions(rows: Sequence[Any], archive: Archive, report: LoadReport) -> tuple[Question, ...]:
    """The questions about one persona.

    All are answerable: where a question rests on a false premise (``hallucination``, ``misleading``), the gold answer
    corrects it. Evidence is the user's message of a turn, a mail, or the sections of a document that are named; what
    could not be traced stands in ``meta["unresolved"]`` with the source that it speaks of.

    Args:
        rows: the source's rows.
        archive: what evidence can name.
        report: gets every oddity.

    Returns:
        The questions. One without words or answer is left out and reported.
    """
    questions = []
    for row in rows:
        question = _question(row, archive, report) if isinstance(row, dict) else None
        if question is None:
            report.note("questions without words or gold answer, left out", str(row)[:80])
        else:
            questions.append(question)
    unique, conflicts = settle(questions, report)
    for conflict in conflicts:
        report.note("the same question with different gold answers, all kept", str(conflict))
    report.count("questions", len(unique))
    return tuple(unique)


def _question(row: dict[str, Any], archive: Archive, report: LoadReport) -> Question | None:
    """One question, or ``None`` where words or answer are missing."""
    words = str(row.get("question") or "").strip()
    try:
        answer, answer_type, alternatives = typed_answer(row.get("answer"))
    except BadGoldError:
        return None
    if not words:
        return None
    identity = str(row.get("id") or content_id(words, answer, row.get("question_date")))
    evidence, unresolved = _evidence(row.get("supporting_evidence"), identity, archive, report)
    meta: dict[str, Any] = {key: row[key] for key in ("supporting_evidence", "characteristics") if key in row}
    if unresolved:
        meta["unresolved"] = unresolved
    return Question(
        id=identity,
        question=str(row["question"]),
        answer=answer,
        answer_type=answer_type,
        alternatives=alternatives,
        type=str(row.get("question_type") or "uncategorised"),
        as_of=_as_of(row.get("question_date"), identity, report),
        evidence=evidence,
        meta=meta,
    )


def _as_of(raw: Any, identity: str, report: LoadReport) -> str | None:
    """The day of asking."""
    try:
        return parse_time(raw).text if raw else None
    except BadTimeError as error:
        report.note("dates of asking that cannot be read", f"{identity}: {error}")
        return None


def _evidence(
    raw: Any, identity: str, archive: Archive, report: LoadReport
) -> tuple[tuple[Evidence, ...], dict[str, str]]:
    """The records that are named, each once, and what could not be traced."""
    found: dict[str, Evidence] = {}
    unresolved: dict[str, str] = {}
    try:
        names = list(evidence_ids(raw))
    except BadGoldError:
        names = [repr(raw)]
    for name in names:
        source, ids = trace(name, archive, report)
        if not ids:
            unresolved[name] = source
            report.note("evidence that could not be traced", f"{identity}: {name}")
        if any(record_id in found for record_id in ids):
            report.note("evidence named twice", f"{identity}: {name}")
        found.update((record_id, Evidence(record_id)) for record_id in ids if record_id not in found)
    if not found:
        report.note("questions without evidence", identity)
    return tuple(found.values()), unresolved


def trace(name: str, archive: Archive, report: LoadReport) -> tuple[str, tuple[str, ...]]:
    """The records that one evidence string names.

    Args:
        name: ``DATE:TURN`` (also ``DATE:TURN,TURN`` and ``DATE:TURN,DATE:TURN``), ``Emails_DATE:Email N``, or
            ``FILE:SECTION``.
        archive: what evidence can name.
        report: gets forms that are unusual.

    Returns:
        The source that it speaks of (empty where the form is unknown) and the ids, all of them or none.
    """
    name = name.strip()
    if _TURNS.fullmatch(name):
        return "conversation", _turns(name, archive, report)
    if found := _MAIL.fullmatch(name):
        return "email", _mails("-".join(found.group(1, 2, 3)), found[4] or "", archive, report)
    if (found := _FILE.fullmatch(name)) and found[1] in archive.documents:
        document, ids = archive.documents[found[1]]
        sections = find_sections(document, found[2] or "")
        if len(sections) == len(ids) > 1:
            report.note("evidence that names a whole document", name)
        return "attachment", tuple(ids[i] for i in sections)
    return "attachment" if found else "", ()


def _turns(name: str, archive: Archive, report: LoadReport) -> tuple[str, ...]:
    """The user's messages of one or several turns; a turn without a date is of the date before it."""
    parts, day = [], ""
    for date, turn in _TURN.findall(name):
        day = date or day
        parts.append(f"{day}:{int(turn)}")
    if len(parts) > 1:
        report.note("evidence that names several turns", name)
    if not all(part in archive.turns for part in parts):
        return ()
    return tuple(archive.turns[part] for part in parts)


def _mails(day: str, which: str, archive: Archive, report: LoadReport) -> tuple[str, ...]:
    """The mail with that number, or all of that day where none is given."""
    mails = archive.mails.get(day, [])
    if number := _MAIL_NUMBER.search(which):
        return tuple(mails[int(number[1]) - 1 : int(number[1])]) if int(number[1]) else ()
    if len(mails) > 1:
        report.note("evidence that names none of several mails of a day, all taken", f"Emails_{day}:{which}")
    return tuple(mails)
