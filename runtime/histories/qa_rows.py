"""Questions as benchmarks wrap them, ``{"qa": [...]}`` with categories, in the words of our own format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from designsearch.runtime.histories.locomo_questions import category_name
from designsearch.runtime.histories.report import LoadReport

LURE = "adversarial_answer"
"""What a question that is not answerable lures into saying."""


def unwrapped(rows: Iterable[tuple[int, Any]], report: LoadReport) -> Iterator[tuple[int, Any]]:
    """The questions of a file one by one, each with its line.

    Args:
        rows: the file's values with their lines.
        report: gets every oddity.
    """
    for line, value in rows:
        wrapped = value.get("qa") if isinstance(value, dict) and "question" not in value else None
        for row in wrapped if isinstance(wrapped, list) else [value]:
            yield line, plain(row, report) if isinstance(row, dict) else row


def plain(row: dict[str, Any], report: LoadReport) -> dict[str, Any]:
    """A row with ``category`` as its type, and not answerable where only a lure stands or the category says so."""
    if "category" not in row and LURE not in row:
        return row
    made = dict(row)
    if "type" not in row:
        made["type"] = category_name(row.get("category"), report)
    lured = LURE in row and row.get("answer") is None
    if "answerable" not in row and (lured or made["type"] == "adversarial"):
        made["answerable"] = False
        if row.get("answer") is not None:
            report.note(
                "questions to abstain from that also have an answer; abstention expected", str(row.get("question"))
            )
    # what was read into other keys stays with the question and is no unknown key
    meta = {key: made.pop(key) for key in ("category", LURE) if key in made}
    given = row.get("meta")
    return {**made, "meta": {**meta, **(given or {})}} if isinstance(given, dict) or given is None else made
