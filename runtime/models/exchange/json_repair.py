"""JSON as models write it: what is meant beyond doubt is read, anything else is refused.

Read besides JSON proper: a comma before a closing bracket, single quotes, line breaks and other control characters
inside strings, ``True``, ``False`` and ``None``, keys without quotes. Nothing is ever added, left out or guessed: no
missing comma, bracket or key is made up, and the characters of a string stay as they are.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from designsearch.runtime.models.exchange.nesting import DEEPEST, too_deep


class NotJsonError(ValueError):
    """A text that holds no JSON, or none that is meant beyond doubt; says why, for people and for the model."""


_TOO_DEEP = f"nested more than {DEEPEST} levels deep"


class NoJsonError(NotJsonError):
    """A text without anything that could be JSON."""


def _refuse_constant(name: str) -> NoReturn:
    raise NotJsonError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotJsonError(f"the number {text[:40]} is too large")
    return number


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made and made[key] != value:
            raise NotJsonError(f"the key {key[:40]!r} is there twice")
        made[key] = value
    return made


_PROPER = json.JSONDecoder(
    strict=False, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_without_repeats
)


def read_value(text: str, start: int = 0) -> tuple[Any, int]:
    """The value that begins at ``start``, and where it ends.

    Raises:
        NotJsonError: no value begins there.
    """
    try:
        value, end = _PROPER.raw_decode(text, start)
    except NotJsonError:
        raise
    except (ValueError, RecursionError):  # not JSON proper; a number of thousands of digits; nested without end
        return _Reader(text).value(start, 0)
    if too_deep(value):
        raise NotJsonError(_TOO_DEEP)
    return value, end


_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,307})(\.\d+)?([eE][+-]?\d+)?(?![\w.])", re.ASCII)
_WORD = re.compile(r"-?[^\W\d][\w$]*")
_SINGLE_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_LITERALS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}


class _Reader:
    """Reads one value by recursive descent; every method takes a place and gives a value and the place behind it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        if depth > DEEPEST:
            raise NotJsonError(_TOO_DEEP)
        first = self.text[at : at + 1]
        if first == "{":
            return self._object(at + 1, depth)
        if first == "[":
            return self._list(at + 1, depth)
        if first in {'"', "'"}:
            return self._string(at)
        return self._plain(at)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        def pair(place: int) -> tuple[tuple[str, Any], int]:
            key, place = self._key(place)
            place = self._blank(place)
            if self.text[place : place + 1] != ":":
                raise self._wrong(place, "':'")
            value, place = self.value(self._blank(place + 1), depth + 1)
            return (key, value), place

        pairs, at = self._items(at, "}", pair)
        return _without_repeats(pairs), at

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        return self._items(at, "]", lambda place: self.value(place, depth + 1))

    def _items(self, at: int, closing: str, item: Callable[[int], tuple[Any, int]]) -> tuple[list[Any], int]:
        """Items with commas between them, and perhaps one behind the last."""
        items: list[Any] = []
        at = self._blank(at)
        while self.text[at : at + 1] != closing:
            made, at = item(at)
            items.append(made)
            at = self._blank(at)
            if self.text[at : at + 1] == ",":
                at = self._blank(at + 1)
            elif self.text[at : at + 1] != closing:
                raise self._wrong(at, f"',' or '{closing}'")
        return items, at + 1

    def _key(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] in {'"', "'"}:
            return self._string(at)
        word = _WORD.match(self.text, at)
        if word is None or word[0].startswith("-"):
            raise self._wrong(at, "a key")
        return word[0], word.end()

    def _string(self, at: int) -> tuple[str, int]:
        if self.text[at] == '"':
            return self._scanned(self.text, at, 0)
        found = _SINGLE_QUOTED.match(self.text, at)
        if found is None:
            raise NotJsonError("the reply breaks off inside a text")
        inside = re.sub(r"\\(.)|\"", _requoted, found[1], flags=re.DOTALL)
        return self._scanned(f'"{inside}"', 0, found.end())[0], found.end()

    def _scanned(self, text: str, at: int, place: int) -> tuple[str, int]:
        try:
            return json.decoder.scanstring(text, at + 1, False)  # type: ignore[attr-defined,no-any-return]
        except ValueError as error:
            if "Unterminated" in str(error):
                raise NotJsonError("the reply breaks off inside a text") from None
            raise self._wrong(place or at, "a text whose escapes are those of JSON") from None

    def _plain(self, at: int) -> tuple[Any, int]:
        number = _NUMBER.match(self.text, at)
        if number is not None:
            whole = number[1] is None and number[2] is None
            return (int(number[0]) if whole else _finite(number[0])), number.end()
        word = _WORD.match(self.text, at)
        if word is not None and word[0] in _LITERALS:
            return _LITERALS[word[0]], word.end()
        if word is not None and word[0].lstrip("-") in {"NaN", "Infinity", "nan", "inf"}:
            _refuse_constant(word[0])
        raise self._wrong(at, "a value")

    def _blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def _wrong(self, at: int, wanted: str) -> NotJsonError:
        if at >= len(self.text):
            return NotJsonError(f"the reply breaks off where {wanted} belongs")
        return NotJsonError(f"{wanted} belongs where {self.text[at : at + 20]!r} is")


def _requoted(found: re.Match[str]) -> str:
    """A piece of a text in single quotes, as it stands in double ones."""
    if found[0] == '"':
        return '\\"'
    return "'" if found[1] == "'" else found[0]
