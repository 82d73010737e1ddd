"""Files that are written whole or not at all, and read back as they were written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.cache import write_whole
from designsearch.search.plain import plain


def write_text(path: Path, text: str) -> None:
    """Write a text file whole.

    Raises:
        CannotContinueError: the disk is full, or may not be written to.
    """
    try:
        write_whole(path, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise CannotContinueError(f"{path}: cannot be written ({error.strerror})") from None


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file whole, readable by people."""
    write_text(path, json.dumps(plain(value), ensure_ascii=False, indent=1) + "\n")


def write_lines(path: Path, lines: Iterable[Any]) -> None:
    """Write a file of JSON lines whole."""
    write_text(path, "".join(json.dumps(plain(line), ensure_ascii=False) + "\n" for line in lines))


def damaged(path: Path, why: object) -> CannotContinueError:
    """The error for a file that is not as it was written."""
    return CannotContinueError(f"{path}: is damaged ({why}); restore it, or start a run of another name")


def read_json(path: Path) -> Any:
    """The value of a JSON file; ``None`` where there is no file.

    Raises:
        CannotContinueError: it is not JSON, so not as it was written.
    """
    if not path.exists():
        return None
    try:
        return json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise damaged(path, error) from None


def read_lines(path: Path) -> list[Any]:
    """The values of a file of JSON lines.

    Raises:
        CannotContinueError: a line is not JSON.
    """
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    try:
        return [json.loads(line) for line in text.split("\n") if line]
    except ValueError as error:
        raise damaged(path, error) from None
