"""Edits on the source text of a document: only the lines that an edit names change.

Comments, key order, quoting and line ends elsewhere stay byte for byte. An edit that lands inside an alias or a merge
writes it out at that place first, and so does one inside an anchor for the aliases elsewhere that must not change with
it. Every result is read again and compared with the same edit on the plain tree; where the text is laid out in a way
that no local change fits, the smallest collection around the place is written anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from designsearch.dsl.edit_sharing import is_merged, loosen, node_at
from designsearch.dsl.edit_text import add_key, insert_item, move_item, remove_entry, rename_key, replace_value
from designsearch.dsl.edit_values import MISSING, Edit, apply_value, child_at, plain, resolve_path
from designsearch.dsl.emit import block
from designsearch.dsl.layout import Layout, UnfamiliarLayoutError
from designsearch.dsl.nodes import Mapping, Scalar, Sequence
from designsearch.dsl.paths import Path, parse_path
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.dsl.scalars import AmbiguousScalarError, plain_value
from designsearch.dsl.source import read, scan

__all__ = ["Edit", "apply", "apply_value", "parse_override"]

_BOM = "\ufeff"
_LONGEST_KEY = 256
_OVERRIDE = re.compile(r"""(?P<path>(?:[^="']|"(?:[^"\\]|\\.)*"|'[^']*')*)=(?P<value>.*)""", re.DOTALL)
_STRUCTURED = re.compile(r"""\{(?![{%#])|\[|"|'""")


def apply(text: str, edit: Edit) -> str:
    """The text after an edit.

    Args:
        text: one YAML mapping without syntax problems; it need not be a valid design.
        edit: what to change.

    Raises:
        InvalidFileError: the text cannot be read.
        UserError: there is nothing at the path, or nothing can be there.
    """
    if any(isinstance(step, str) and len(step) > _LONGEST_KEY for step in (*edit.path, *(edit.to or ()))):
        raise UserError(f"a key may have {_LONGEST_KEY} characters at most")
    mark = _BOM if text.startswith(_BOM) else ""
    text = text.removeprefix(_BOM)
    before = read(text).value
    after = apply_value(before, edit)
    if same(before, after):
        return mark + text
    path = resolve_path(before, edit.path, last=edit.op != "insert")
    for attempt in _attempts(text, edit, path, before, after):
        try:
            changed = attempt()
        except UnfamiliarLayoutError:
            continue
        if _reads_as(changed, after):
            return mark + changed
    raise AssertionError(f"no way to write {edit}")


def parse_override(text: str) -> Edit:
    """Read ``retrieval[0].k=5``: a path, and a value as YAML reads it; a template needs no quotes here.

    Raises:
        UserError: it is not of that form.
    """
    match = _OVERRIDE.fullmatch(text)
    if match is None or not match["path"].strip():
        raise UserError(f"{text!r} is not an override: write path=value, as in retrieval[0].k=5")
    path, written = parse_path(match["path"]), match["value"].strip()
    try:
        if _STRUCTURED.match(written):
            return Edit("set", path, read(f"value: {written}", "<override>").value["value"])
        return Edit("set", path, plain_value(written))
    except InvalidFileError as error:
        raise UserError(f"the value of the override {text!r} cannot be read: {error.problems[0].message}") from None
    except AmbiguousScalarError as error:
        raise UserError(f"the value of the override {text!r}: {error.message} ({error.hint})") from None


def same(one: Any, other: Any) -> bool:
    """Whether two trees are equal, types of scalars included."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def _reads_as(text: str, value: Any) -> bool:
    try:
        source = scan(text)
    except InvalidFileError:
        return False
    return not source.problems and same(source.value, value)


def _attempts(text: str, edit: Edit, path: Path, before: Any, after: Any) -> Iterator[Callable[[], str]]:
    """Ways to make the edit, the most local one first."""
    if edit.op == "move" and edit.to:
        to = resolve_path(apply_value(before, Edit("remove", path)), edit.to, last=False)
        yield lambda: _move(text, path, to)
        value = child_at(before, path)
        yield lambda: apply(apply(text, Edit("remove", path)), Edit("insert", to, value))
    else:
        yield lambda: _local(text, edit, path)
        yield lambda: _local(_end_last_block(text), edit, path)
    if edit.op == "set" and child_at(before, path) is not MISSING:
        yield lambda: apply(apply(text, Edit("remove", path)), Edit("insert", path, edit.value))
    for length in range(len(path) - 1, 0, -1):
        held = child_at(after, path[:length])
        if held is not MISSING:
            yield lambda place=path[:length], value=held: _rewrite(text, place, value)  # type: ignore[misc]
    yield lambda: _rewrite_all(text, after)


def _local(text: str, edit: Edit, path: Path) -> str:
    value = plain(edit.value)
    if edit.op == "remove":
        at = loosen(text, path, replaced=True, removed=True)
        home = at.homes[id(node_at(at, path))]
        return remove_entry(at, home.holder, home.index)
    at = loosen(text, path, replaced=edit.op == "set", removed=False)
    found = at.source.nodes.get(path)
    if found is not None and edit.op == "set" and id(found) in at.homes and not is_merged(at, path):
        return replace_value(at, found, value)
    depth = len(path) - 1
    while child_at(at.source.value, path[:depth]) in (None, MISSING):
        depth -= 1
    for step in reversed(path[depth + 1 :]):
        value = [value] if isinstance(step, int) else {step: value}
    step = path[depth]
    holder = node_at(at, path[:depth])
    if depth < len(path) - 1 and child_at(at.source.value, path[: depth + 1]) is None:
        return replace_value(at, node_at(at, path[: depth + 1]), value)
    if isinstance(holder, Mapping):
        return add_key(at, holder, str(step), value)
    assert isinstance(holder, Sequence)
    assert isinstance(step, int)
    return insert_item(at, holder, step, value) if holder.items else replace_value(at, holder, [value])


def _move(text: str, path: Path, to: Path) -> str:
    """Move whole lines within one list, or rename a key; else it is a removal and an insertion."""
    if path[:-1] != to[:-1]:
        raise UnfamiliarLayoutError
    at = loosen(text, path, replaced=True, removed=True)
    node = node_at(at, path)
    home = at.homes[id(node)]
    if isinstance(home.holder, Sequence):
        assert isinstance(to[-1], int)
        return move_item(at, home.holder, home.index, to[-1])
    return rename_key(at, home.holder, home.index, str(to[-1]))


def _rewrite(text: str, path: Path, value: Any) -> str:
    at = loosen(text, path, replaced=True, removed=False)
    return replace_value(at, node_at(at, path), value)


def _rewrite_all(text: str, value: Any) -> str:
    """The last resort: everything anew, below the comments that head the file."""
    head = text[: Layout(read(text)).source.nodes[()].start]
    kept = [line for line in head.splitlines() if line.startswith("#")]
    inline, lines = block(value, 0, "block")
    return "\n".join([*kept, *([inline] if inline else lines), ""])


def _end_last_block(text: str) -> str:
    """A text block that ends with the file, without a line break, would gain one from a line after it: say so."""
    at = Layout(read(text))
    last = at.source.nodes[()]
    while isinstance(last, Mapping | Sequence) and not last.flow:
        last = last.items[-1] if isinstance(last, Sequence) else last.pairs[-1][1]
    if not isinstance(last, Scalar) or last.style not in ("|", ">") or text.endswith(("\n", "\r")):
        raise UnfamiliarLayoutError
    return replace_value(at, last, last.text)
