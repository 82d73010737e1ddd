"""Syntax errors of YAML in plain words."""

from __future__ import annotations

import re
from typing import Any

Explanation = tuple[str, int, str]
"""Message, character index, hint."""

TEMPLATE_VALUE = "value starts with {opening}: quote it or use a | block"

_TEMPLATE = re.compile(r"""(?:^|[:\-?,\[{])[ \t]*(\{[{%#])""")

_TEMPLATE_COMMENT = re.compile(r"""^[^"'#\n]*[:\-?,\[{][ \t]*(\{#)""", re.MULTILINE)

_BACKSLASH = "write \\\\ for a backslash, or use single quotes"

_RULES: tuple[tuple[str, str, str], ...] = (
    ("found unexpected end of stream", "the quoted text that starts here is never closed", "add the closing quote"),
    ("mapping values are not allowed", "a second ': ' in one value", "quote the value, or check the indentation"),
    ("sequence entries are not allowed", "a list cannot start here", "put '- ' on a line of its own, indented"),
    ("unknown escape character", "unknown escape in a double-quoted text", _BACKSLASH),
    ("expected escape sequence", "broken escape in a double-quoted text", _BACKSLASH),
    ("could not find expected ':'", "a key without ': ' after it", "write key: value"),
    ("expected the node content", "a value is missing here", "close what is open, or write the value"),
    ("expected alphabetic or numeric", "a name must follow & or *", "quote the value if a text is meant"),
    ("found duplicate anchor", "the anchor is defined twice", "rename one"),
    ("found undefined tag handle", "tags are not allowed", "write the value without it"),
    ("indentation", "wrong indentation of a block text", "indent its lines by at least one space"),
    ("but found '<scalar>'", "text stands after the end of a value", "quote the whole value"),
    ("expected <block end>", "the indentation does not fit the lines above", "line up the keys of one mapping"),
    ("expected '<document start>'", "the indentation does not fit the lines above", "line up the keys of one mapping"),
    ("directive", "a line that starts with % is a directive", "quote the value if a text is meant"),
)


def explain(error: Any, text: str) -> Explanation:
    """Say what a ``yaml.MarkedYAMLError`` means: message, index of the character, what to do."""
    index = error.problem_mark.index if error.problem_mark else 0
    opened = error.context_mark.index if error.context_mark else index
    for near in (index, opened):
        if (at := _template_before(text, near)) is not None:
            return TEMPLATE_VALUE.format(opening=text[at : at + 2]), at, ""
    problem = str(error.problem)
    if (at := _template_comment(text, index)) is not None:
        return TEMPLATE_VALUE.format(opening="{#"), at, ""
    if unclosed := re.search(r"expected ',' or '([\]}])'", problem):
        return _unclosed(unclosed[1], index, opened, text)
    if "cannot start any token" in problem:
        return _bad_start(text, index)
    for part, message, hint in _RULES:
        if part in problem:
            return message, opened if part == "found unexpected end of stream" else index, hint
    return f"not valid YAML: {problem}", index, ""


def _unclosed(closing: str, index: int, opened: int, text: str) -> Explanation:
    what = "the list opened with [" if closing == "]" else "the mapping opened with {"
    if not text[index:].strip():
        return f"{what} here is never closed", opened, f"add {closing}"
    line = 1 + len(re.findall(r"\r\n|\n|\r", text[:opened]))
    return f"{what} on line {line} is not closed before this", index, f"add , or {closing}"


def _template_before(text: str, index: int) -> int | None:
    start = max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1
    end = min(i for i in (text.find("\n", index), len(text)) if i >= 0)
    found = _TEMPLATE.search(text[start:end])
    return start + found.start(1) if found else None


def _template_comment(text: str, index: int) -> int | None:
    """Where an unquoted ``{#`` stands: YAML takes the rest of its line for a comment and reads to the end."""
    if text[index:].strip():
        return None
    found = list(_TEMPLATE_COMMENT.finditer(text))
    return found[-1].start(1) if found else None


def _bad_start(text: str, index: int) -> Explanation:
    character = text[index : index + 1]
    if character != "\t":
        return f"a value cannot start with {character}", index, "quote it"
    start = max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1
    if text[start:index].strip(" \t"):
        return "a tab stands between the value and what follows", index, "use spaces"
    return "tab used for indentation", index, "use spaces"
