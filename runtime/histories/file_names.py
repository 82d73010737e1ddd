"""Names of histories as names of files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNFIT = re.compile(r"[^\w.@+ -]+")


def file_stems(names: Iterable[str]) -> dict[str, str]:
    """A name for the file or folder of each history, as like its own as a file system allows; no two are the same."""
    stems: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = _UNFIT.sub("_", name).strip(" .") or "history"
        stem, number = plain, 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{plain}~{number}"
        taken.add(stem.casefold())
        stems[name] = stem
    return stems
