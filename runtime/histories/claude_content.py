"""What a message of a Claude export says, and the files that came with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from designsearch.runtime.histories.export_values import items, label, string
from designsearch.runtime.histories.images import with_image
from designsearch.runtime.histories.report import LoadReport

_NO_SPEECH = ("tool_use", "tool_result", "thinking", "redacted_thinking", "token_budget", "flag")
_IMAGE_ENDS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".bmp", ".tiff")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message.

    Attributes:
        name: its name, may be empty.
        text: what the export holds of its text; empty where it holds none.
        is_image: whether it is a picture.
    """

    name: str
    text: str
    is_image: bool


def words(message: Mapping[str, Any], place: str, report: LoadReport) -> str:
    """The text of a message: that of its blocks where it has any, else the plain one.

    Args:
        message: the message.
        place: its id, for the report.
        report: gets the blocks that are no speech.

    Returns:
        The words as they were written, a blank line between blocks; empty where there are none.
    """
    content = message.get("content")
    if isinstance(content, str):
        return content if content.strip() else string(message.get("text"))
    blocks = [content] if isinstance(content, dict) else items(content)
    if not blocks:
        return string(message.get("text"))
    said, pictures = list[str](), 0
    for block in blocks:
        kind = label(block.get("type")) if isinstance(block, dict) else ""
        if isinstance(block, str):
            said.append(block)
        elif kind == "text" or (isinstance(block, dict) and not kind and string(block.get("text"))):
            said.append(string(block.get("text")))
        elif kind == "image":
            pictures += 1
            report.count("pictures")
        else:
            _left_out(kind, place, report)
    text = "\n\n".join(one for one in said if one.strip())
    for _ in range(pictures):
        text = with_image(text, "", has_image=True)
    return text


def _left_out(kind: str, place: str, report: LoadReport) -> None:
    """A word of a block that is not read."""
    if kind in _NO_SPEECH:
        report.note(f"blocks that are nobody's speech ({kind}), left out", place)
    else:
        report.note("blocks of unknown types, left out", f"{place}: {kind[:40] or 'no type'}")


def attachments(message: Mapping[str, Any], place: str, report: LoadReport) -> list[Attachment]:
    """The files that came with a message, those without text too."""
    found, seen = list[Attachment](), set[str]()
    for key in ("attachments", "files", "files_v2"):
        for file in items(message.get(key)):
            if not isinstance(file, dict):
                report.note("attached files that are no objects, left out", place)
                continue
            name = label(file.get("file_name")) or label(file.get("name"))
            text = string(file.get("extracted_content"))
            if key != "attachments" and name in seen:
                continue  # the same file, listed in two places
            seen.add(name)
            if not text.strip():
                report.note("attached files without text, named in their message", f"{place}: {name}")
            is_image = label(file.get("file_kind")) == "image" or PurePosixPath(name.lower()).suffix in _IMAGE_ENDS
            found.append(Attachment(name, text, is_image))
    return found
