"""The ledger of a generation: one line an item, on the disk before the next one is begun."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.kept_files import damaged
from designsearch.search.lock import Say
from designsearch.search.plain import plain
from designsearch.search.supervision.items import Item

FILE = "items.jsonl"


@dataclass(frozen=True, slots=True)
class End:
    """Why no more questions are made for a part.

    Attributes:
        part: the part.
        why: ``enough``, ``balanced``, ``used up`` or ``barren``; see :mod:`.select`.
        taken: ordinals of spare items that were taken after all.
    """

    part: str
    why: str
    taken: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"part": self.part, "end": self.why, "taken": list(self.taken)}


class ItemLedger:
    """The lines of one folder, in order.

    To be used by the one process that holds the folder.

    Args:
        folder: where the file is, or will be.
        say: hears of a torn line that was cut off.

    Raises:
        CannotContinueError: it cannot be read, is damaged elsewhere than at its end, or lacks a line or has one twice.
    """

    def __init__(self, folder: Path, say: Say) -> None:
        self._path = folder / FILE
        self.lines: list[Item | End] = []
        if self._path.exists():
            self._read(say)

    def append(self, lines: Iterable[Item | End]) -> None:
        """Add lines that were finished together; they are on the disk afterwards.

        Raises:
            CannotContinueError: they cannot be written.
        """
        new = list(lines)
        text = "".join(json.dumps(plain(line.to_json()), ensure_ascii=False) + "\n" for line in new)
        try:
            with self._path.open("ab") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise CannotContinueError(f"{self._path}: cannot be written ({error.strerror})") from None
        self.lines += new

    def _read(self, say: Say) -> None:
        try:
            data = self._path.read_bytes()
        except OSError as error:
            raise CannotContinueError(f"{self._path}: cannot be read ({error.strerror})") from None
        next_in: Counter[str] = Counter()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.decode("utf-8", "surrogatepass").split("\n")[:-1], start=1):
            try:
                self.lines.append(_line(json.loads(line), next_in))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise damaged(self._path, f"line {number}: {type(error).__name__}: {error}") from None
        if len(whole) < len(data):
            backup = self._path.with_name(f"{FILE}.torn")
            shutil.copy2(self._path, backup)
            with self._path.open("r+b") as file:
                file.truncate(len(whole))
            say(
                f"{self._path}: the last line was torn; it was cut off, and the file as it was is kept as {backup.name}"
            )


def _line(value: Any, next_in: Counter[str]) -> Item | End:
    """What a line says, where it is the next one of its part."""
    if "end" in value:
        return End(value["part"], value["end"], tuple(value["taken"]))
    item = Item.from_json(value)
    if item.ordinal != next_in[item.part]:
        raise ValueError(f"item {item.ordinal!r} of {item.part} where {next_in[item.part]} should be")
    next_in[item.part] += 1
    return item
