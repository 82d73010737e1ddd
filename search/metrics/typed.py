"""Equality of answers after normalisation by type.

========  =====================================================================  =================================
type      canonical form                                                         equal when
========  =====================================================================  =================================
number    (plain decimal digits, unit or ``None``)                               same value, no conflict of units
date      ISO 8601 with the precision given                                      same parts (``March 5`` has no year)
boolean   ``True`` or ``False`` from the whole string                            same
list      items in their own canonical form, sorted, each once                   same set
text      folded, white space collapsed, closing punctuation dropped             same
========  =====================================================================  =================================

What is empty or has no canonical form of its type equals nothing, not even itself.
"""

from __future__ import annotations

import json
import re

from designsearch.runtime.records import AnswerType, Question, Value
from designsearch.search.metrics.dates import find_dates, parse_date
from designsearch.search.metrics.fold import fold, fold_line
from designsearch.search.metrics.numbers import Number, parse_number

Canonical = Number | str | bool | tuple[str, ...]

_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")
_COARSE = re.compile(r"[;\n]")
_FINE = re.compile(r",\s+and\s+|,(?!\d{3}(?!\d))|(?<!\d),|\s+(?:and|&)\s+")


def canonical(value: Value, answer_type: AnswerType) -> Canonical | None:
    """The canonical form of a value as an answer of that type; ``None`` where it has none."""
    if value is None:
        return None
    if answer_type == "number":
        return parse_number(value)
    if answer_type == "list":
        return _list(value)
    if answer_type == "boolean":
        return value if isinstance(value, bool) else _BOOLEANS.get(fold_line(as_text(value)))
    if answer_type == "date":
        date = parse_date(as_text(value))
        return date.canonical() if date else None
    return fold_line(as_text(value)) or None


def equal(a: Value, b: Value, answer_type: AnswerType) -> bool:
    """Whether two answers of a type mean the same."""
    left, right = canonical(a, answer_type), canonical(b, answer_type)
    if left is None or right is None:
        return False
    if isinstance(left, Number) and isinstance(right, Number):
        return left.value == right.value and (left.unit is None or right.unit is None or left.unit == right.unit)
    return left == right


def decide(question: Question, answer: str) -> bool | None:
    """Whether an answer is right by typed equality alone.

    Equality with the gold answer or one of its alternatives confirms. It refutes only where both sides are numbers,
    dates or booleans; of other wording it knows nothing. An empty answer is wrong.

    Returns:
        ``None`` where a judge has to say, or where the question has no gold answer to compare with.
    """
    golds: list[Value] = [g for g in (question.answer, *question.alternatives) if g not in (None, "", [])]
    if not golds:
        return None
    if not answer.strip():
        return False
    verdicts = [_decide_one(gold, answer, _type_of(gold, question.answer_type)) for gold in golds]
    if True in verdicts:
        return True
    return None if None in verdicts else False


def as_text(value: Value) -> str:
    """A gold value in words: ``yes`` for True, ``2`` for 2.0, the items of a list with commas between."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        number = parse_number(value)
        return number.value if number else str(value)
    return value if isinstance(value, str) else ", ".join(value)


def items(value: Value) -> list[str]:
    """The items of a list answer, however it was written.

    A list as such and a JSON list are taken as they are; else lines and semicolons separate, else commas and ``and``
    (never the comma inside a number or a date).
    """
    if isinstance(value, list):
        return [as_text(item) for item in value]
    text = as_text(value).strip()
    if text.startswith("["):
        try:
            loaded = json.loads(text)
            if isinstance(loaded, list):
                return [item if isinstance(item, str) else str(item) for item in loaded]
        except (ValueError, RecursionError):  # no JSON, or nested without end
            pass
    parts = _COARSE.split(text)
    if len(parts) == 1:
        parts = _FINE.split(_without_date_commas(" ".join(text.split())))  # long blanks would take it their square
    return [_BULLET.sub("", part).strip() for part in parts]


def _list(value: Value) -> tuple[str, ...] | None:
    found = {form for form in (_item(item) for item in items(value)) if form}
    return tuple(sorted(found)) or None


def _item(text: str) -> str:
    number = parse_number(text)
    if number is not None:
        return f"{number.value} {number.unit}" if number.unit else number.value
    date = parse_date(text)
    return date.canonical() if date else fold_line(text)


def _without_date_commas(text: str) -> str:
    """The text with ``March 5, 2023`` as ``March 5 2023``."""
    folded = fold(text)
    for found in reversed(list(find_dates(folded))):
        folded = folded[: found.start] + folded[found.start : found.end].replace(",", "") + folded[found.end :]
    return folded


def _type_of(gold: Value, declared: AnswerType) -> AnswerType:
    """The type to compare by: that of the gold value itself where it is no string."""
    if isinstance(gold, bool):
        return "boolean"
    if isinstance(gold, int | float):
        return "number"
    return "list" if isinstance(gold, list) else declared


def _decide_one(gold: Value, answer: str, answer_type: AnswerType) -> bool | None:
    if equal(gold, answer, answer_type):
        return True
    # a short text that is a number as a whole (`15`) is one, however it is written
    if answer_type == "text" and equal(gold, answer, "number"):
        return True
    if answer_type in {"text", "list"} or canonical(answer, answer_type) is None:
        return None
    return None if canonical(gold, answer_type) is None else False
