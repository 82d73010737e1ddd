"""The marks in texts of Slack, as they are shown to people: mentions, channels, links and escaped letters."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MARK = re.compile(r"<([^<>\n]+)>|&(amp|lt|gt);")
_LETTERS = {"amp": "&", "lt": "<", "gt": ">"}
_LINK = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def readable(text: str, people: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """A text with names in place of ids.

    Args:
        text: as an export has it.
        people: names of persons and bots by id.
        channels: names of channels by id.

    Returns:
        The text; somebody unknown is ``@`` and their id, and a mark of no known kind stays as it is.
    """

    def shown(found: re.Match[str]) -> str:
        if found[2]:
            return _LETTERS[found[2]]
        target, _, name = found[1].partition("|")
        return _shown(target, _plain(name).strip(), people, channels) or found[0]

    return _MARK.sub(shown, text)


def _shown(target: str, name: str, people: Mapping[str, str], channels: Mapping[str, str]) -> str:
    """What stands for one mark; empty where it is of no known kind."""
    kind, rest = target[:1], target[1:].strip()
    if kind == "@" and rest:
        return "@" + (people.get(rest) or name.removeprefix("@") or rest)
    if kind == "#" and rest:
        return "#" + (name.removeprefix("#") or channels.get(rest) or rest)
    if kind == "!" and rest:
        return name if rest.startswith("date^") else "@" + (name.removeprefix("@") or rest.split("^")[-1])
    if not _LINK.match(target):
        return ""
    address = _plain(target)
    bare = address.removeprefix("mailto:").removeprefix("tel:")
    if not name or name in (address, bare) or address.rstrip("/").endswith(f"//{name.rstrip('/')}"):
        return bare
    return f"{name} ({bare})"


def _plain(text: str) -> str:
    """A text without escaped letters."""
    return re.sub(r"&(amp|lt|gt);", lambda found: _LETTERS[found[1]], text)
