"""The closed list of tests that ``when`` knows."""

from __future__ import annotations

import re

from designsearch.dsl.operators import When
from designsearch.dsl.problems import nearest

PLAIN_TESTS = ("question.has_date", "question.asks_current", "question.asks_count", "ranking.empty")
COMPARISONS = ("ranking.size", "ranking.top_score")

CHOICES = (*PLAIN_TESTS, "ranking.size < n", "ranking.top_score < x")

_NUMBER = r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"

PATTERN = (
    "^ *("
    + "|".join(re.escape(t) for t in PLAIN_TESTS)
    + r"|ranking\.size *< *\d+|ranking\.top_score *< *"
    + (_NUMBER + ") *$")
)
"""Regular expression of a test, for editors."""

_TEST = re.compile(r"\s*([\w.]+)\s*(?:(<=|>=|<|>|==|!=)\s*(\S+))?\s*")


_ALL = "the tests are " + ", ".join(CHOICES)


class WhenError(ValueError):
    """A test that is not on the list; the arguments are the message and what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or _ALL


def parse_when(text: str) -> When:
    """Read a test such as ``question.has_date`` or ``ranking.size < 5``.

    Raises:
        WhenError: the test is not on the closed list.
    """
    match = _TEST.fullmatch(text)
    if match is None:
        raise WhenError(f"{text!r} is not a test")
    subject, comparison, limit = match[1], match[2], match[3]
    if subject in PLAIN_TESTS:
        if comparison:
            raise WhenError(f"{subject} is true or false and is not compared", f"write {subject}")
        return When(subject, subject)
    if subject not in COMPARISONS:
        raise WhenError(f"there is no test {subject}", nearest(subject, (*PLAIN_TESTS, *COMPARISONS)))
    if comparison != "<":
        raise WhenError(f"{subject} can only be compared with <", f"write {subject} < number")
    return _comparison(subject, limit)


def _comparison(subject: str, limit: str) -> When:
    whole = subject == "ranking.size"
    if not re.fullmatch(r"\d+" if whole else _NUMBER, limit) or len(limit) > 18:
        wanted = "a whole number" if whole else "a number"
        raise WhenError(f"{subject} is compared with {wanted}, not {limit}", f"write {subject} < {5 if whole else 0.5}")
    number = float(limit)
    shown = int(number) if number.is_integer() else number
    return When(f"{subject} < {shown}", subject, number)
