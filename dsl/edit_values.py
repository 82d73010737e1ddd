"""What an edit does to the plain tree of a document; ``dsl/edit.py`` does the same to its text."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, get_args

from designsearch.dsl.paths import Path, parse_path, show_path
from designsearch.dsl.problems import UserError, nearest

MISSING = object()
"""What is said to stand where there is nothing."""

EditKind = Literal["set", "insert", "remove", "move"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit at a path.

    Attributes:
        op: ``set`` a value (missing parents are made), ``insert`` a list entry before the one at the path or a new key,
            ``remove`` what is there, or ``move`` it to the path ``to``, which counts after it was taken out.
        path: where.
        value: the value to set or insert.
        to: where a move ends.
    """

    op: EditKind
    path: Path
    value: Any = None
    to: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """The edit as plain JSON."""
        plain: dict[str, Any] = {"op": self.op, "path": show_path(self.path)}
        if self.op in ("set", "insert"):
            plain["value"] = self.value
        if self.to is not None:
            plain["to"] = show_path(self.to)
        return plain

    @classmethod
    def from_json(cls, plain: Any) -> Edit:
        """Read an edit from plain JSON.

        Raises:
            UserError: it is not an edit.
        """
        if not isinstance(plain, dict):
            raise UserError(f"an edit is a mapping with op and path, not {plain!r}")
        op, path, to = plain.get("op"), plain.get("path"), plain.get("to")
        kinds = get_args(EditKind)
        if op not in ("set", "insert", "remove", "move"):
            close = nearest(str(op), kinds)
            raise UserError(f"an edit's op is one of {', '.join(kinds)}, not {op!r}" + (f" ({close})" if close else ""))
        wanted = {"op", "path"} | ({"value"} if op in ("set", "insert") else {"to"} if op == "move" else set())
        if missing := wanted - set(plain):
            raise UserError(f"the edit {op} needs {', '.join(sorted(missing))}")
        if unknown := set(plain) - wanted:
            raise UserError(f"the edit {op} does not take {', '.join(sorted(map(str, unknown)))}")
        if not isinstance(path, str) or not isinstance(to, str | None):
            raise UserError("an edit's path is a text such as retrieval[1].k")
        return cls(op, parse_path(path), plain.get("value"), parse_path(to) if to is not None else None)


def apply_value(value: Any, edit: Edit) -> Any:
    """The tree after an edit; the one given is left alone.

    Raises:
        UserError: there is nothing at the path, or nothing can be there.
    """
    tree = deepcopy(value)
    path = resolve_path(tree, edit.path, last=edit.op != "insert")
    if not path:
        raise UserError(f"cannot {edit.op} the whole document: name a path")
    if edit.op == "set":
        _set(tree, path, plain(edit.value))
    elif edit.op == "insert":
        _insert(tree, path, plain(edit.value))
    elif edit.op == "remove":
        _remove(tree, path)
    else:
        _move(tree, path, edit.to)
    return tree


def plain(value: Any) -> Any:
    """A copy in which every list is a list."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def resolve_path(tree: Any, path: Path, *, last: bool) -> Path:
    """The path with indexes from the end counted from the start; ``last`` says whether the last step is one of them.

    Raises:
        UserError: an index is out of range.
    """
    result: list[str | int] = []
    at: Any = tree
    for i, step in enumerate(path):
        counted = step
        if isinstance(step, int) and step < 0 and isinstance(at, list) and (last or i < len(path) - 1):
            counted = step + len(at)
            if counted < 0:
                raise UserError(f"{show_path(tuple(result))} has {len(at)} entries: there is no [{step}]")
        result.append(counted)
        at = child(at, counted)
    return tuple(result)


def child(at: Any, step: str | int, missing: Any = None) -> Any:
    """What a mapping or a list holds at one step of a path."""
    if isinstance(at, dict):
        return at.get(step, missing)
    if isinstance(at, list) and isinstance(step, int) and 0 <= step < len(at):
        return at[step]
    return missing


def child_at(tree: Any, path: Path) -> Any:
    """What stands at a path, or ``MISSING``."""
    for step in path:
        tree = child(tree, step, MISSING)
    return tree


def _set(tree: Any, path: Path, value: Any) -> None:
    def put(holder: Any, step: str | int, here: Path) -> None:
        if isinstance(holder, dict):
            holder[step] = value
        elif step == len(holder):
            holder.append(value)
        else:
            _entry(holder, step, here)
            holder[step] = value

    _at_holder(tree, path, put)


def _insert(tree: Any, path: Path, value: Any) -> None:
    def put(holder: Any, step: str | int, here: Path) -> None:
        if isinstance(holder, dict):
            if step in holder:
                raise UserError(f"{show_path((*here, step))} is there already: set it instead")
            holder[step] = value
        elif isinstance(step, int) and 0 <= step <= len(holder):
            holder.insert(step, value)
        else:
            raise UserError(f"{show_path(here)} has {len(holder)} entries: cannot insert at [{step}]")

    _at_holder(tree, path, put)


def _at_holder(tree: Any, path: Path, put: Callable[[Any, str | int, Path], None]) -> None:
    """Find, or make, the collection that holds the last step of a path."""
    at = tree
    for i, step in enumerate(path[:-1]):
        found = _existing(at, step, path[:i])
        if found is None:
            found = [] if isinstance(path[i + 1], int) else {}
            if isinstance(at, list) and step == len(at):
                at.append(found)
            else:
                at[step] = found
        at = found
    _holder(at, path[-1], path[:-1])
    put(at, path[-1], path[:-1])


def _existing(at: Any, step: str | int, here: Path) -> Any:
    _holder(at, step, here)
    if isinstance(at, list) and step != len(at):
        _entry(at, step, here)
    return child(at, step)


def _holder(at: Any, step: str | int, here: Path) -> None:
    where = show_path(here) or "the document"
    if isinstance(step, str) and not isinstance(at, dict):
        raise UserError(f"{where} is {_kind(at)}, so it has no key {step}")
    if isinstance(step, int) and not isinstance(at, list):
        raise UserError(f"{where} is {_kind(at)}, so it has no entry [{step}]")


def _entry(at: list[Any], step: str | int, here: Path) -> None:
    if not isinstance(step, int) or not 0 <= step < len(at):
        raise UserError(f"{show_path(here)} has {len(at)} entries: there is no [{step}]")


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f"the value {str(value)[:40]!r}"


def _remove(tree: Any, path: Path) -> Any:
    at = tree
    for i, step in enumerate(path):
        if child(at, step, MISSING) is MISSING:
            _holder(at, step, path[:i])
            if isinstance(at, list):
                _entry(at, step, path[:i])
            close = nearest(str(step), at)
            raise UserError(f"there is no {show_path(path[: i + 1])}" + (f" ({close})" if close else ""))
        if i == len(path) - 1:
            return at.pop(step)
        at = at[step]
    raise AssertionError


def _move(tree: Any, path: Path, to: Path | None) -> None:
    if not to:
        raise UserError("a move needs the path where it ends")
    if to[: len(path)] == path and len(to) > len(path):
        raise UserError(f"cannot move {show_path(path)} into itself")
    taken = _remove(tree, path)
    _insert(tree, resolve_path(tree, to, last=False), taken)
