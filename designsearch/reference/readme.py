"""The table of commands in the README, between two comments; the rest of it is written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designsearch.cli.app import GROUPS

BEGIN, END = "<!-- commands: made by designsearch.generate -->", "<!-- end of commands -->"
_BETWEEN = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)


def readme(text: str) -> str:
    """The README with the table of commands as the program has them.

    Args:
        text: the README as it is.
    """
    table = "\n".join(["| command | what it does |", "| --- | --- |", *_rows()])
    return _BETWEEN.sub(lambda _: f"{BEGIN}\n{table}\n{END}", text)


def _rows() -> Iterator[str]:
    for commands in GROUPS.values():
        for command in commands:
            yield f"| `{command.name}` | {command.about.replace('|', chr(92) + '|')} |"
