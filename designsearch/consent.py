"""The note that is shown once before a person's history is read for questions or sent to a model.

It never asks and never blocks. That it was shown is kept twice: beside the output, for whoever looks at that later,
and in the user's own cache folder, so that it is shown once for a history as it stands and for those who get it. The
files name the history's fingerprint and hold none of its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from designsearch.runtime.cache import default_folder, write_whole

RECORD = "consent.jsonl"
"""Name of both files: one line a note, ``{history, fingerprint, destinations, shown}``."""

_KEYS = frozenset({"fingerprint", "destinations", "shown"})

DERIVED = "questions, answers and quoted passages"
"""What is made from a history unless the caller says otherwise."""


class Says(Protocol):
    """Where a note goes: stderr, quiet or not."""

    def warning(self, text: str) -> None:
        """Show it."""
        ...


def note(
    out: Says,
    history_name: str,
    fingerprint: str,
    destinations: Sequence[str],
    folder: Path | None,
    derived: str = DERIVED,
) -> bool:
    """Say once what becomes of a history, and keep that it was said.

    It is said again where the history has changed, or where somebody gets it who was not named before. A folder that
    cannot be written to is passed over: then it is said again another time. So is a folder in which a file of that
    name is somebody else's.

    Args:
        out: a command's output.
        history_name: the file, as the user named it.
        fingerprint: of the history (:attr:`History.fingerprint`).
        destinations: who gets text of it, as :meth:`Team.destinations` words it; empty where nobody does.
        folder: where the output goes; ``None`` where nothing is kept.
        derived: what is made from it, in words.

    Returns:
        Whether it was said.
    """
    own = default_folder() / RECORD
    line = {
        "history": history_name,
        "fingerprint": fingerprint,
        "destinations": list(destinations),
        "shown": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    if folder is not None and _is_ours(folder / RECORD):
        _keep(folder / RECORD, line)
    if _said(own, fingerprint, destinations):
        return False
    out.warning(paragraph(history_name, destinations, folder, derived))
    _keep(own, {key: value for key, value in line.items() if key != "history"})
    return True


def paragraph(history_name: str, destinations: Sequence[str], folder: Path | None, derived: str = DERIVED) -> str:
    """The words of the note."""
    kept = f", kept in {folder}" if folder is not None else ", which are not kept"
    sent = f"Its text is sent to: {'; '.join(destinations)}." if destinations else "Nothing leaves this machine."
    within = f" --in {folder}" if folder is not None else ""
    return (
        f"{history_name}: from this history {derived} are made{kept}. {sent} To remove a record with all that was made "
        f"from it: designsearch forget RECORD --history {history_name}{within}. (This note is shown once.)"
    )


def _said(path: Path, fingerprint: str, destinations: Sequence[str]) -> bool:
    told: set[str] = set()
    known = False
    for line in _lines(path):
        if line.get("fingerprint") == fingerprint:
            known = True
            told.update(map(str, line.get("destinations") or ()))
    return known and told.issuperset(destinations)


def _is_ours(path: Path) -> bool:
    """Whether a file holds nothing but such lines, or is not there."""
    try:
        written = [line for line in path.read_text(encoding="utf-8", errors="replace").split("\n") if line.strip()]
    except FileNotFoundError:
        return True
    except OSError:
        return False
    lines = list(_lines(path))
    return len(lines) == len(written) and all(line.keys() >= _KEYS for line in lines)


def _keep(path: Path, line: dict[str, Any]) -> None:
    """Add a line, unless one that differs only in its time is there."""
    lines = list(_lines(path))
    if any({**old, "shown": ""} == {**line, "shown": ""} for old in lines):
        return
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in (*lines, line))
    with suppress(OSError):
        write_whole(path, text.encode("utf-8", "surrogatepass"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a record; what is damaged or not there counts as never said."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.split("\n"):
        with suppress(ValueError):
            value = json.loads(line)
            if isinstance(value, dict):
                yield value
