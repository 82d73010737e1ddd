"""The questions of LoCoMo."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.runtime.histories.duplicates import settle
from designsearch.runtime.histories.gold import BadGoldError, content_id, evidence_ids, typed_answer
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import AnswerType, Evidence, Question, Value

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
"""The category ids as the data uses them (the paper lists the names in another order)."""

_TURN = re.compile(r"D\d+:\d+")


def read_questions(
    name: str, rows: Sequence[Any], gold: Mapping[str, str | None], report: LoadReport
) -> tuple[Question, ...]:
    """The questions about one conversation.

    Args:
        name: the conversation's name; it enters the ids, as the same words are asked about several.
        rows: the source's ``qa``.
        gold: turn id to the words that show that the turn was found; ``None``: its whole text.
        report: gets every oddity.

    Returns:
        The questions. Those of category 5 want an abstention. A question that has no usable answer is left out and
        reported.
    """
    questions = []
    for row in rows:
        if isinstance(row, dict) and str(row.get("question") or "").strip():
            question = _question(name, row, gold, report)
            questions += [question] if question else []
        else:
            report.note("questions without words, left out")
    unique, conflicts = settle(questions, report)
    for conflict in conflicts:
        report.note("the same question with different gold answers, all kept", str(conflict))
    report.count("questions", len(unique))
    for number, kind in CATEGORIES.items():
        report.count(f"of category {number} ({kind})", sum(question.type == kind for question in unique))
    return tuple(unique)


def _question(name: str, row: dict[str, Any], gold: Mapping[str, str | None], report: LoadReport) -> Question | None:
    """One question, or ``None`` where it has no usable answer."""
    kind = category_name(row.get("category"), report)
    raw, lure = row.get("answer"), row.get("adversarial_answer")
    identity = content_id(name, row["question"], raw, lure, kind)
    abstain = kind == "adversarial" or (raw is None and lure is not None)
    meta: dict[str, Any] = {key: row[key] for key in ("category", "adversarial_answer", "evidence") if key in row}
    answer: Value = None
    answer_type: AnswerType = "text"
    alternatives: tuple[str, ...] = ()
    if abstain:
        if raw is not None:
            meta["answer"] = raw
            report.note("questions to abstain from that also have an answer; abstention expected", identity)
    else:
        if lure is not None:
            report.note("answerable questions that also have an adversarial answer; the answer counts", identity)
        try:
            answer, answer_type, alternatives = typed_answer(raw)
        except BadGoldError as error:
            report.note("questions left out for their gold answer", f"{identity}: {error}")
            return None
        if answer_type != "text":
            report.note(f"answers that are no text ({answer_type})", repr(raw))
    evidence, unresolved = _evidence(row.get("evidence"), gold, report)
    if unresolved:
        meta["unresolved"] = unresolved
    if not evidence:
        report.note("questions without evidence", identity)
    return Question(
        id=identity,
        question=str(row["question"]),
        answer=answer,
        answer_type=answer_type,
        alternatives=alternatives,
        type=kind,
        answerable=not abstain,
        evidence=evidence,
        meta=meta,
    )


def category_name(raw: Any, report: LoadReport) -> str:
    """The name of a category: by its id, also as text, or by its name."""
    if raw is None:
        report.note("questions without a category")
        return "uncategorised"
    word = str(raw).strip()
    name = CATEGORIES.get(int(word), "") if word.isdecimal() else word.lower().replace("-", "_").replace(" ", "_")
    if name not in CATEGORIES.values():
        report.note("unknown categories", repr(raw))
        return "uncategorised"
    return name


def _evidence(
    raw: Any, gold: Mapping[str, str | None], report: LoadReport
) -> tuple[tuple[Evidence, ...], dict[str, str]]:
    """The turns named as evidence, and what names none (with the source that it speaks of)."""
    found: dict[str, Evidence] = {}
    unresolved: dict[str, str] = {}
    try:
        texts = list(evidence_ids(raw))
    except BadGoldError:
        report.note("evidence that cannot be read", repr(raw))
        return (), {str(raw): "conversation"}
    for text in texts:
        names = _TURN.findall(text)
        if names != [text]:
            report.note("evidence that is not one turn id", text)
        if not names:
            unresolved[text] = "conversation"
        for turn in names:
            if turn not in gold:
                unresolved[turn] = "conversation"
                report.note("evidence that names a turn that is not there", turn)
            elif turn in found:
                report.note("evidence named twice", turn)
            else:
                found[turn] = Evidence(turn, gold[turn])
    return tuple(found.values()), unresolved
