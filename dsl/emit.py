"""Write plain values as YAML in the style of a careful author.

A scalar is plain where every YAML reader takes it for the same thing and quoted elsewhere; a text of several lines is a
``|`` block; a short mapping or list stays on its line, a longer one becomes a block.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import yaml

from designsearch.dsl.problems import UserError
from designsearch.dsl.scalars import AmbiguousScalarError, plain_value

WIDTH = 100
STEP = 2
_PLAIN = re.compile(r"[^\W\d_](?:[\w ./()+-]*[\w.)+-])?")
_QUOTABLE = re.compile("[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*")
_BLOCK = re.compile("[^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*")
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_RESOLVER: Any = yaml.SafeLoader("")
_LARGEST = 2**63


def scalar(value: Any) -> str:
    """A scalar on one line.

    Raises:
        UserError: the value is none that a document can hold.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) >= _LARGEST:
            raise UserError(f"the number {value:.3g} is too large for a document")
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UserError(f"{value} is not a finite number, so no document can hold it")
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    raise UserError(f"a document cannot hold a {type(value).__name__}")


def _text(value: str) -> str:
    if bad := _REFUSED.search(value):
        raise UserError(f"the text {value[:40]!r} holds U+{ord(bad[0]):04X}, which no document can hold")
    if _is_plain(value):
        return value
    if _QUOTABLE.fullmatch(value):
        if not set(value) & set('"\\'):
            return f'"{value}"'
        doubled = value.replace("'", "''")
        return f"'{doubled}'"
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda m: f"\\u{ord(m[0]):04x}", quoted)


def _is_plain(value: str) -> bool:
    if not _PLAIN.fullmatch(value):
        return False
    try:
        same = plain_value(value) == value
    except AmbiguousScalarError:
        return False
    # Also what only YAML 1.1 reads as something else (yes, on, dates) is quoted, for the sake of other tools.
    tag = _RESOLVER.resolve(yaml.ScalarNode, value, (True, False))
    return same and tag == "tag:yaml.org,2002:str"


def flow(value: Any) -> str:
    """Any value on one line, as in ``{op: bm25, k: 5}``.

    Raises:
        UserError: the value is none that a document can hold.
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(name)}: {flow(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(inner) for inner in value) + "]"
    return scalar(value)


def key(name: Any) -> str:
    """A mapping's key.

    Raises:
        UserError: the key is not a text.
    """
    if not isinstance(name, str):
        raise UserError(f"the key {name!r} is not a text")
    return scalar(name)


def block(value: Any, indent: int, style: str = "") -> tuple[str, list[str]]:
    """A value as what stands on the line of its key or dash, and the lines below.

    Args:
        value: the value.
        indent: spaces before each line below.
        style: ``flow`` or ``block`` where the neighbourhood has one; else the length decides.

    Raises:
        UserError: the value is none that a document can hold.
    """
    if isinstance(value, str) and _as_lines(value):
        lines = value.removesuffix("\n").split("\n")
        return "|" if value.endswith("\n") else "|-", [" " * indent + line if line else "" for line in lines]
    if not isinstance(value, dict | list | tuple) or not value:
        return flow(value), []
    if style != "block" and not _has_lines(value):
        line = flow(value)
        if style == "flow" and len(line) <= WIDTH + 20:
            return line, []
        if indent + len(line) <= WIDTH and _is_shallow(value):
            return line, []
    if isinstance(value, dict):
        return "", [line for name, inner in value.items() for line in entry(name, inner, indent)]
    return "", [line for inner in value for line in item(inner, indent)]


def entry(name: str, value: Any, indent: int, style: str = "") -> list[str]:
    """The lines of one key with its value in a block mapping."""
    head, body = block(value, indent + STEP, style)
    return [f"{' ' * indent}{key(name)}:{' ' + head if head else ''}", *body]


def item(value: Any, indent: int, style: str = "") -> list[str]:
    """The lines of one entry of a block list."""
    head, body = block(value, indent + STEP, style)
    dash = " " * indent + "-"
    if head:
        return [f"{dash} {head}", *body]
    return [f"{dash} {body[0][indent + STEP :]}", *body[1:]]


def _as_lines(value: str) -> bool:
    """Whether a text reads best, and unchanged, as a ``|`` block."""
    return (
        "\n" in value
        and bool(_BLOCK.fullmatch(value))
        and value[0] not in " \n\t"
        and not value.endswith("\n\n")
        and not any(line.strip() == "" and line for line in value.split("\n"))
    )


def _has_lines(value: Any) -> bool:
    if isinstance(value, str):
        return _as_lines(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return any(_has_lines(one) for one in inner)


def _is_shallow(value: Any) -> bool:
    """A list of scalars, or a mapping that holds at most such lists and such mappings."""
    if isinstance(value, dict):
        return all(not isinstance(v, dict | list | tuple) or _is_flat(v) for v in value.values())
    return _is_flat(value)


def _is_flat(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value
    return not any(isinstance(one, dict | list | tuple) for one in inner)
