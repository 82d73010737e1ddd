"""The reply of a model that proposes: its JSON Schema, and its edits with their values read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from designsearch.dsl.edit import Edit
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.dsl.source import read
from designsearch.runtime.models.prompted import object_of

_TEXT_OR_NULL = {"type": ["string", "null"]}

_EDIT = object_of(
    op={"type": "string", "enum": ["set", "insert", "remove", "move"]},
    path={"type": "string"},
    value=_TEXT_OR_NULL,
    to=_TEXT_OR_NULL,
)

SCHEMA: Mapping[str, Any] = object_of(
    rationale={"type": "string"},
    expected={"type": "string"},
    edits={"type": "array", "items": _EDIT},
)
"""Of what strict servers take: every key required, none beside them, no limits on lengths. A value is YAML as text,
since such servers want a type for everything."""

MOST_EDITS = 20
"""Edits of one proposal; who needs more proposes another design, not a revision."""

_LONGEST_NOTE = 600
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_TEMPLATE = re.compile(r"\{\{|\{%")


@dataclass(frozen=True, slots=True)
class Ideas:
    """What a model proposes, as it came.

    Attributes:
        rationale: why; one line.
        expected: what should become better; one line.
        edits: the edits as plain JSON.
    """

    rationale: str
    expected: str
    edits: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, value: Any) -> Ideas:
        """Read a reply, whatever it is: what is not as asked for is empty."""
        whole = value if isinstance(value, dict) else {}
        edits = whole.get("edits")
        return cls(
            rationale=_note(whole.get("rationale")),
            expected=_note(whole.get("expected")),
            edits=tuple(edit for edit in edits if isinstance(edit, dict)) if isinstance(edits, list) else (),
        )


def _note(text: Any) -> str:
    """A text for people: one line, nothing that a terminal obeys."""
    return _UNPRINTABLE.sub(" ", text).strip()[:_LONGEST_NOTE] if isinstance(text, str) else ""


def read_edits(ideas: Ideas) -> list[Edit]:
    """The edits with their values read.

    Raises:
        UserError: there are none, too many, or one cannot be read; which one it says.
    """
    if not ideas.edits:
        raise UserError("there are no edits")
    if len(ideas.edits) > MOST_EDITS:
        raise UserError(f"there are {len(ideas.edits)} edits; {MOST_EDITS} are the most")
    return [_read(number, plain) for number, plain in enumerate(ideas.edits, start=1)]


def _read(number: int, plain: Mapping[str, Any]) -> Edit:
    op = plain.get("op")
    known: dict[str, Any] = {"op": op, "path": plain.get("path")}
    try:
        if op in ("set", "insert"):
            known["value"] = _value(plain.get("value"))
        if op == "move":
            known["to"] = plain.get("to")
        return Edit.from_json(known)
    except UserError as error:
        raise UserError(f"edit {number}: {error}") from None


def _value(written: Any) -> Any:
    """A value out of its YAML; a template may stand there without quotes."""
    if written is None:
        return None
    if not isinstance(written, str):
        return written
    try:
        return read("value:\n" + indent(written.strip("\r\n"), "  "), "value").value["value"]
    except InvalidFileError as error:
        if _TEMPLATE.search(written):
            return written
        problem = error.problems[0]
        hint = f" ({problem.hint})" if problem.hint else ""
        raise UserError(f"the value {written[:200]!r} is not YAML: {problem.message}{hint}") from None
