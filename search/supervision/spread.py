"""How generated questions are spread over records, sources, months, types of answer and kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from designsearch.runtime.records import History, Question

NO_ANSWER = "no answer"


def month_of(time: str) -> str:
    """The month of an ISO 8601 time; the year where it says no more, empty for an unknown time."""
    return time[:7]


def spread(history: History, questions: Sequence[Question]) -> dict[str, Any]:
    """Counts of the questions' evidence and answers.

    ``records``: distinct evidence records, and the share of the history that they are; ``busiest``: the most questions
    on one record; ``evidence``: questions by their number of evidence records; the rest by name, most frequent first.
    """
    uses = Counter(one.record for question in questions for one in question.evidence)
    rows = [history.row[record] for record in uses if record in history.row]
    return {
        "records": {"distinct": len(uses), "share": len(rows) / max(1, len(history))},
        "busiest": max(uses.values(), default=0),
        "evidence": _counts(str(len(question.evidence)) for question in questions),
        "sources": _counts(history.sources[row] or "(none)" for row in rows),
        "months": dict(sorted(_counts(month_of(history.time_texts[row]) or "unknown" for row in rows).items())),
        "answer_types": _counts(q.answer_type if q.answerable else NO_ANSWER for q in questions),
        "kinds": _counts(question.type for question in questions),
    }


def _counts(names: Any) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda one: (-one[1], one[0])))
