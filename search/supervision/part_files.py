"""The files of questions in a folder of generated ones: one a part."""

from __future__ import annotations

from pathlib import Path

from designsearch.search.contracts import PARTS

WHOLE = "all"
"""The part of a history that is not divided."""

NAMES: tuple[str, ...] = (*PARTS, WHOLE)


def part_file(folder: Path, part: str) -> Path:
    """The questions of a part."""
    return folder / f"{part}.jsonl"


def parts_in(folder: Path) -> list[str]:
    """The parts that a folder has questions of."""
    return [part for part in NAMES if part_file(folder, part).is_file()]
