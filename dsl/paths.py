"""Paths inside a document, as in ``retrieval[1].k`` and ``storage.views["a.b"].before``."""

from __future__ import annotations

import json
import re

from designsearch.dsl.problems import UserError

Path = tuple[str | int, ...]
"""Keys and list positions from the top of a document; the document itself is ``()``."""

_BARE = re.compile(r"[^\W\d][\w-]*")
_STEP = re.compile(
    r"""
    \[ \s* (?P<index>-?\d+) \s* \]
  | \[ \s* (?P<quoted>"(?:[^"\\]|\\.)*"|'[^']*') \s* \]
  | (?P<dot>\.?) (?P<key>[^.\[\]"'=\s]+)
    """,
    re.VERBOSE,
)


def show_path(path: Path) -> str:
    """The path as people write it; keys that hold dots, brackets or blanks are quoted."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _BARE.fullmatch(step):
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{json.dumps(step, ensure_ascii=False)}]")
    return "".join(parts)


def parse_path(text: str) -> Path:
    """Read a path such as ``retrieval[1].k`` or ``storage.views["a.b"]``; an empty text is the document itself.

    Raises:
        UserError: the text is not a path.
    """
    text = text.strip()
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None or (step["key"] is not None and bool(step["dot"]) != bool(steps)):
            raise UserError(
                f"{text!r} is not a path: character {at + 1} cannot stand there; write one like retrieval[1].k, "
                'and quote a key that holds dots: storage.views["a.b"]'
            )
        steps.append(_step_value(step))
        at = step.end()
    return tuple(steps)


def _step_value(step: re.Match[str]) -> str | int:
    if step["index"] is not None:
        return int(step["index"])
    if step["quoted"] is None:
        return step["key"]
    if step["quoted"].startswith("'"):
        return step["quoted"][1:-1]
    try:
        return str(json.loads(step["quoted"]))
    except ValueError:
        raise UserError(f"{step['quoted']} is not a quoted key: use JSON's escapes") from None
