"""The one JSON value in what a model wrote: alone, in a code fence, with words or reasoning around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from designsearch.runtime.models.exchange.json_repair import NoJsonError, NotJsonError, read_value
from designsearch.runtime.models.exchange.surrogates import without_halves

MOST_EXACT = 2**53
"""Up to here a double tells whole numbers apart."""

MOST_BRACKETS = 200
"""Brackets in the words around a value that are looked into; whoever writes more has no one value in mind."""

_FENCED = re.compile(r"```[\w+-]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_BEFORE_A_FENCED_VALUE = re.compile(r"```[\w+-]*\s*\Z")
_LOOKS_LIKE_JSON = re.compile(r"[\[{]\s*[\"'{\[]")
_OPENING = re.compile(r"[\[{]")
_TEXT_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?P<closed>")?|[\[\]{}]', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def read_json(text: str) -> Any:
    """The value that a reply holds.

    A value alone may be of any kind; one with words around it is an object or a list. Where there are several, the one
    in a code fence counts; otherwise it cannot be known which was meant, and none does.

    Raises:
        NotJsonError: there is none (``NoJsonError``), it is broken or breaks off, or there are several.
    """
    text = text.lstrip("\ufeff")
    try:
        return cleaned(read_whole(text))
    except NotJsonError as error:
        alone = error
    text = without_reasoning(text)
    try:
        return cleaned(read_whole(_unfenced(text)))
    except NotJsonError:
        values = _values(text)
    if not values:
        raise alone if _starts_like_a_value(text) else NoJsonError("there is no JSON in the reply")
    fenced = [value for value, is_fenced in values if is_fenced]
    chosen = fenced if len(fenced) == 1 else [value for value, _ in values]
    if len(chosen) > 1:
        raise NotJsonError(f"there are {len(chosen)} JSON values in the reply, one was asked for")
    return cleaned(chosen[0])


def read_whole(text: str) -> Any:
    """The value that a text is, without anything around it.

    Raises:
        NotJsonError: it is none, or there is more; single quotes around it all are not part of any value.
    """
    text = text.strip()
    if text.startswith("'"):
        raise NotJsonError("there are quotes around the reply")
    value, end = read_value(text)
    if text[end:].strip():
        raise NotJsonError(f"there is more behind the JSON: {text[end:].strip()[:20]!r}")
    return value


def without_reasoning(text: str) -> str:
    """A reply without the reasoning before it: up to ``</think>``, whether or not its beginning is there."""
    head, found, rest = text.partition("</think>")
    if found and (head.lstrip().startswith("<think>") or "<think>" not in head):
        return rest.lstrip()
    return "" if text.lstrip().startswith("<think>") and not found else text


def reasoning_in(text: str) -> str:
    """The reasoning that stands before a reply, empty where there is none."""
    rest = without_reasoning(text)
    head = text[: len(text) - len(rest)] if rest != text else ""
    return head.strip().removeprefix("<think>").removesuffix("</think>").strip()


def _values(text: str) -> list[tuple[Any, bool]]:
    """Each object and list that stands in a text, and whether it begins a code fence."""
    values: list[tuple[Any, bool]] = []
    at = 0
    for _ in range(MOST_BRACKETS):
        opening = _OPENING.search(text, at)
        if opening is None:
            return values
        start = opening.start()
        try:
            value, at = read_value(text, start)
        except NotJsonError:
            # Meant as JSON and broken: what stands inside it is a part, never the whole.
            if _LOOKS_LIKE_JSON.match(text, start):
                raise
            end = _closing(text, start)
            if end is None:
                return values
            at = end
        else:
            fenced = _BEFORE_A_FENCED_VALUE.search(text[max(0, start - 40) : start])
            values.append((value, fenced is not None))
    raise NotJsonError("there are too many brackets in the reply")


def _unfenced(text: str) -> str:
    """What a code fence holds that is all there is; any other text as it is."""
    fence = _FENCED.fullmatch(text.strip())
    return fence[1] if fence else text


def _closing(text: str, start: int) -> int | None:
    """Where the bracket that opens at ``start`` has been closed; ``None`` where it never is."""
    depth = 0
    for found in _brackets(text, start):
        depth += 1 if found[0] in "[{" else -1
        if depth == 0:
            return found.end()
    return None


def _brackets(text: str, start: int) -> Iterator[re.Match[str]]:
    """Each bracket outside quoted texts; a quote that is never closed begins none."""
    for found in _TEXT_OR_BRACKET.finditer(text, start):
        if found[0][0] != '"':
            yield found
        elif found["closed"] is None:  # looked through once more, not once for each quote behind it
            yield from _BRACKET.finditer(text, found.start())
            return


def _starts_like_a_value(text: str) -> bool:
    return text.lstrip()[:1] in {"{", "[", '"', "'"} or text.strip()[:1].isdigit()


def cleaned(value: Any) -> Any:
    """The value without halves of surrogate pairs, which no file can hold, and with ``2`` for ``2.0``.

    To JSON Schema both are the same integer; to Python the second one is no index.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) <= MOST_EXACT:
        return int(value)
    if isinstance(value, str):
        return without_halves(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    return value
