"""What is attached to a mail, and the sections of what of it is text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from designsearch.runtime.histories.html_sections import read_html
from designsearch.runtime.histories.sections import Section, read_markdown

_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A part of a mail that is not its text.

    Attributes:
        name: its file name, or its type where it has none.
        text: its text; ``None`` where it is none.
        html: whether the text is HTML.
    """

    name: str
    text: str | None = None
    html: bool = False


def sections_of(attachment: Attachment) -> tuple[Section, ...]:
    """An attached text cut at its headings, where it has any."""
    text = attachment.text or ""
    if attachment.html:
        return read_html(text).sections
    if PurePosixPath(attachment.name.lower()).suffix in _MARKDOWN:
        return read_markdown(text).sections
    return (Section("", text.strip("\n")),) if text.strip() else ()
