"""The questions of PersonaMem."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.runtime.histories.duplicates import settle
from designsearch.runtime.histories.gold import content_id
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Question

_LETTER = re.compile(r"\s*\(?([A-Za-z])\)\s*")


def read_questions(name: str, rows: Sequence[Mapping[str, Any]], report: LoadReport) -> tuple[Question, ...]:
    """The questions that are asked at one place of a context.

    A question shows its options, as it is asked in the data set; the right one is the answer, its letter will do too.
    The data set names no evidence.

    Args:
        name: the history's name; it enters the ids of questions that have none.
        rows: the source's rows.
        report: gets every oddity.
    """
    found = [question for row in rows if (question := _question(name, row, report)) is not None]
    questions, conflicts = settle(found, report)
    for conflict in conflicts:
        report.note("the same question with different gold answers, all kept", str(conflict))
    report.count("questions", len(questions))
    return tuple(questions)


def _question(name: str, row: Mapping[str, Any], report: LoadReport) -> Question | None:
    """One question; ``None`` where words or answer are missing."""
    words, right = (str(row.get(key) or "").strip() for key in ("user_question_or_message", "correct_answer"))
    identity = str(row.get("question_id") or content_id(name, words, right))
    if not words or not right:
        report.note("questions without words or gold answer, left out", identity)
        return None
    options = _options(row.get("all_options"))
    letter = _LETTER.fullmatch(right)
    chosen = next((one for one in options if letter and _letter(one) == letter[1].lower()), "")
    if not chosen:
        report.note("questions whose answer is none of their options, asked without these", identity)
    return Question(
        id=identity,
        question="\n".join([words, "", *options]) if chosen else words,
        answer=_LETTER.sub("", chosen, count=1).strip() or right if chosen else right,
        alternatives=(right, chosen) if chosen else (),
        type=str(row.get("question_type") or "uncategorised"),
        meta={"topic": row["topic"]} if row.get("topic") else {},
    )


def _letter(option: str) -> str:
    found = _LETTER.match(option)
    return found[1].lower() if found else ""


def _options(raw: Any) -> list[str]:
    """The options of a question: an array, or one written as text in JSON or as Python shows it."""
    if isinstance(raw, str):
        for read in (json.loads, ast.literal_eval):
            try:
                raw = read(raw)
                break
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
    return [str(one).strip() for one in raw] if isinstance(raw, list) else []
