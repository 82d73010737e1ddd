"""The closed list of tests that ``when`` knows, question by question.

The tests on a question read English words; in other languages they are simply not met.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designsearch.dsl.operators import When
from designsearch.runtime.records import Rankings

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_DATE = re.compile(
    rf"\b(?:(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})|(?:{_MONTHS})\.?\s+\d{{1,2}}"
    rf"|(?:in|last|this|next|since|during|early|late|mid)[\s-]+(?:{_MONTHS})|yesterday|today"
    r"|(?:last|past|previous|this)\s+(?:week|month|year|night|spring|summer|autumn|fall|winter|weekend|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:days?|weeks?|months?|years?)\s+ago)\b",
    re.IGNORECASE,
)
_CURRENT = re.compile(
    r"\b(?:current(?:ly)?|now|nowadays|at the moment|latest|most recent(?:ly)?|still|these days)\b", re.I
)
_COUNT = re.compile(r"\b(?:how many|how often|number of|count of|how much in total)\b", re.IGNORECASE)

_QUESTION_TESTS = {"question.has_date": _DATE, "question.asks_current": _CURRENT, "question.asks_count": _COUNT}


def holds(when: When, questions: Sequence[str], ranking: Rankings | None) -> NDArray[np.bool_]:
    """Shape (questions,): for which questions the test holds. No open ranking counts as an empty one."""
    pattern = _QUESTION_TESTS.get(when.subject)
    if pattern is not None:
        return np.fromiter((bool(pattern.search(q)) for q in questions), bool, len(questions))
    current = ranking if ranking is not None else Rankings.empty(len(questions))
    sizes = current.sizes
    if when.subject == "ranking.empty":
        return np.asarray(sizes == 0, bool)
    limit = when.limit if when.limit is not None else 0.0
    if when.subject == "ranking.size":
        return np.asarray(sizes < limit, bool)
    top = np.full(len(questions), -np.inf)
    filled = sizes > 0
    top[filled] = np.maximum.reduceat(current.scores, current.offsets[:-1][filled]) if filled.any() else top[filled]
    return np.asarray(top < limit, bool)
