"""What a plain scalar means: YAML 1.2's core rules made strict.

``true`` and ``false`` are booleans, ``null`` (or nothing at all) is null, decimal numbers are numbers with or without
an exponent; everything else is text, so ``no``, ``on``, ``12:30`` and ``2024-03-01`` are what they look like. A
spelling that means one thing to one YAML reader and another to the next is refused.
"""

from __future__ import annotations

import math
import re

_INT = re.compile(r"[-+]?(?:0|[1-9]\d*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_LEADING_ZERO = re.compile(r"[-+]?0\d+(?:\.\d*)?(?:[eE][-+]?\d+)?", re.ASCII)
_OTHER_BASE = re.compile(r"[-+]?0(?:x[0-9a-fA-F]+|o[0-7]+|b[01]+)", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "": None}
_LOOKALIKES = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "Null": "null",
    "NULL": "null",
    "~": "null",
}
_LIMIT = 2**63


class AmbiguousScalarError(ValueError):
    """A plain scalar that readers of YAML do not agree on; the arguments are the message and what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def plain_value(text: str) -> object:
    """The value of an unquoted scalar: a boolean, null, a finite number or a text.

    Raises:
        AmbiguousScalarError: the spelling is refused; it says what to write instead.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789TFN~":
        return text
    _refuse_lookalikes(text)
    if _INT.fullmatch(text):
        return _whole_number(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise AmbiguousScalarError(f"the number {text} is too large", "write a smaller number, or quote it")
        return number + 0.0  # -0.0 becomes 0.0: the two are the same setting
    return text


def _whole_number(text: str) -> int:
    # Python refuses to read thousands of digits; the length is looked at first.
    if len(text) > 20 or abs(int(text)) >= _LIMIT:
        raise AmbiguousScalarError(f"the number {text[:24]} is too large", "write a smaller number, or quote it")
    return int(text)


def _refuse_lookalikes(text: str) -> None:
    if text in _LOOKALIKES:
        meant = _LOOKALIKES[text]
        raise AmbiguousScalarError(f"{text} may mean {meant} or a text", f"quote it, or write {meant}")
    if _NOT_FINITE.fullmatch(text):
        raise AmbiguousScalarError(f"{text} is not a finite number", "quote it, or write a number")
    if _LEADING_ZERO.fullmatch(text):
        number = float(text) if len(text) > 20 or set(text) & set(".eE") else int(text)
        raise AmbiguousScalarError(f"{text} starts with a zero", f"quote it, or write {number}")
    if _OTHER_BASE.fullmatch(text):
        raise AmbiguousScalarError(f"{text} is not a decimal number", f"quote it, or write {int(text, 0)}")
