"""The messages of a WhatsApp chat: its lines put together, and who sent each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.whatsapp_times import MARKS, Stamp, stamp_of

_PARTED = ": "
_FEWEST = 2
"""Messages by which a name that holds a colon can be told from words that do."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        stamp: its date and time as they are written.
        sender: who sent it; empty where the program itself says something.
        text: its lines, invisible marks and all.
    """

    stamp: Stamp
    sender: str
    text: str


def messages_of(text: str, report: LoadReport) -> list[Message]:
    """The messages of a chat in order; what stands before the first one is reported.

    The form of the first date holds for the whole file: a line that begins with one of another form is part of the
    message above it, as a chat that was copied into a chat is.
    """
    found = list[tuple[Stamp, list[str]]]()
    for line in text.replace("\r\n", "\n").split("\n"):
        head = stamp_of(line)
        if head is not None and (not found or head[0].style == found[0][0].style):
            found.append((head[0], [head[1]]))
        elif found:
            found[-1][1].append(line)
        elif line.strip():
            report.note("lines before the first message, left out", line.strip()[:80])
    return _with_senders([Message(stamp, "", "\n".join(lines).rstrip("\n")) for stamp, lines in found], report)


def _with_senders(messages: Sequence[Message], report: LoadReport) -> list[Message]:
    """The messages with their senders taken off their texts."""
    names = [_prefix(message.text, 1) for message in messages]
    for colons in (2, 3, 4):
        wider = [_prefix(message.text, colons) for message in messages]
        groups = dict[str, list[str]]()
        for name, wide in zip(names, wider, strict=True):
            groups.setdefault(name, []).append(wide)
        whole = {name for name, group in groups.items() if name and group[0] and _all_same(group)}
        for name in whole:
            report.note("senders taken to have a colon in their name", _clean(groups[name][0]))
        names = [wide if name in whole else name for name, wide in zip(names, wider, strict=True)]
    return [_sent(message, name) for message, name in zip(messages, names, strict=True)]


def _all_same(group: Sequence[str]) -> bool:
    return len(group) >= _FEWEST and len(set(group)) == 1


def _prefix(text: str, colons: int) -> str:
    """What stands before a colon of the first line, the first or a later one; empty where nothing does."""
    first = text.partition("\n")[0]
    parts = first.split(_PARTED)
    if len(parts) <= colons:
        if colons == 1 and first.endswith(":"):
            return first[:-1]
        return ""
    name = _PARTED.join(parts[:colons])
    return name if _clean(name) and _is_balanced(name) else ""


def _is_balanced(name: str) -> bool:
    """Whether quotation marks that open also close: a colon within them is no end of a name."""
    return name.count('"') % 2 == 0 and all(name.count(a) == name.count(b) for a, b in ("“”", "«»", "「」"))


def _sent(message: Message, name: str) -> Message:
    if not name:
        return replace(message, text=_behind_gap(message.text))
    return replace(message, sender=_clean(name), text=message.text[len(name) :].removeprefix(":").removeprefix(" "))


def _behind_gap(text: str) -> str:
    return re.sub(rf"\A(?:[{MARKS}]*\s)?[{MARKS}]*", "", text)


def _clean(name: str) -> str:
    """A name without invisible marks, and without the sign for somebody who is in nobody's address book."""
    plain = " ".join(re.sub(f"[{MARKS}]", "", name).split())
    return plain.removeprefix("~").strip() or plain
