"""Gold answers and evidence as data sets write them, made uniform."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from designsearch.runtime.records import AnswerType, Question, Value

ANSWER_TYPES: tuple[str, ...] = get_args(AnswerType)
_Plain = TypeVar("_Plain", bound=str | int | float)
_TRUE, _FALSE = ("true", "yes"), ("false", "no")
_DIGITS = r"(?:[^\W\d_]{0,3}[$€£¥₹]\s?)?-?\d[\d,]*(?:\.\d+)?"
_WORDS = (
    r"(?:(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|an?|half|dozen|and)\b[\s-]?)+"
)
_WITH_UNIT = re.compile(rf"(?:{_DIGITS}|{_WORDS})(?:\s?(?:%|[^\W\d_][^\d\n]{{0,29}}))?", re.IGNORECASE)


class BadGoldError(ValueError):
    """A gold answer or an evidence id that cannot be used; the message says why."""


def content_id(*parts: object) -> str:
    """An id made from content, 12 hexadecimal digits; the same parts give the same id everywhere."""
    text = json.dumps([str(part) for part in parts], ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def evidence_ids(raw: Any) -> Iterator[str]:
    """Evidence ids of any shape, as strings: one id, a list of ids, lists in lists, integers.

    Raises:
        BadGoldError: something in it is no id.
    """
    if raw is None:
        return
    if isinstance(raw, list | tuple):
        for item in raw:
            yield from evidence_ids(item)
    elif isinstance(raw, str | int) and not isinstance(raw, bool):
        yield str(raw)
    else:
        raise BadGoldError(f"evidence {raw!r} is no record id (a string, an integer, or a list of those)")


def typed_answer(raw: Any, declared: str | None = None) -> tuple[Value, AnswerType, tuple[str, ...]]:
    """A gold answer with its type.

    A number, a boolean or a list is one as JSON writes it; text stays text unless ``declared`` says otherwise. A list
    is a set of which every item is asked for; declared ``text``, its items are alternatives.

    Args:
        raw: the answer as JSON gives it.
        declared: the ``answer_type`` that the data set states.

    Returns:
        The answer, its type and further right answers.

    Raises:
        BadGoldError: there is no answer, or it is not of the declared type.
    """
    if raw is None or (isinstance(raw, str | list) and not raw) or (isinstance(raw, str) and not raw.strip()):
        raise BadGoldError("the gold answer is empty (give one, or `answerable: false`)")
    if isinstance(raw, list):
        return _from_list(raw, declared)
    if declared == "list":
        return [_item(raw)], "list", ()
    if declared == "number" or (declared is None and isinstance(raw, int | float) and not isinstance(raw, bool)):
        return _number(raw), "number", ()
    if declared == "boolean" or (declared is None and isinstance(raw, bool)):
        return _boolean(raw), "boolean", ()
    if declared is not None and declared not in ANSWER_TYPES:
        raise BadGoldError(f"answer_type {declared!r} is unknown (known: {', '.join(ANSWER_TYPES)})")
    return _item(raw), "date" if declared == "date" else "text", ()


def _from_list(raw: list[Any], declared: str | None) -> tuple[Value, AnswerType, tuple[str, ...]]:
    """A list: a set, or alternatives where text is declared."""
    items = [_item(item) for item in raw]
    if declared in (None, "list"):
        return items, "list", ()
    if declared == "text":
        return items[0], "text", tuple(items[1:])
    raise BadGoldError(f"the gold answer is a list, not a {declared}")


def _item(raw: Any) -> str:
    """One answer as text."""
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, str | int | float):
        return str(_finite(raw))
    raise BadGoldError(f"the gold answer {raw!r} is neither text, a number, a boolean nor a list of those")


def _number(raw: Any) -> int | float | str:
    """A number, also where it is written as text; one with a unit stays text, as ``3 days`` or ``$12.85``."""
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return _finite(raw)
    for read in (int, float):
        try:
            number = read(str(raw).replace(",", ""))
        except ValueError:
            continue
        return _finite(number)
    if isinstance(raw, str) and _WITH_UNIT.fullmatch(raw.strip()):
        return raw.strip()
    raise BadGoldError(f"the gold answer {raw!r} is no number")


def _finite(raw: _Plain) -> _Plain:
    """The value, unless it is NaN or infinite: nothing equals those."""
    if isinstance(raw, float) and not math.isfinite(raw):
        raise BadGoldError(f"the gold answer {raw} is not a finite number")
    return raw


def _boolean(raw: Any) -> bool:
    """A boolean, also where it is written as a word."""
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().casefold()
    if word in _TRUE + _FALSE:
        return word in _TRUE
    raise BadGoldError(f"the gold answer {raw!r} is neither true nor false")


def same_words(text: str) -> str:
    """A text without differences of case and white space."""
    return " ".join(text.casefold().split())


def gold_key(question: Question) -> str:
    """What two questions share that have the same right answer."""
    if not question.answerable:
        return "\x00not answerable"
    if isinstance(question.answer, list):
        return "\x00".join(sorted(same_words(item) for item in question.answer))
    if isinstance(question.answer, bool):
        return str(question.answer).lower()
    if isinstance(question.answer, float) and question.answer.is_integer():
        return str(int(question.answer))
    return same_words(str(question.answer))
