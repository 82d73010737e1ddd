"""Documents cut at their headings; here Markdown, see ``html_sections`` for HTML.

A section is the text under one heading, down to the next heading of any level. A heading with no text of its own goes
in front of the section that follows it, so that nothing is lost and no section is a heading alone (unless it is last).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_EMPHASIS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document and what it stands over.

    Attributes:
        title: its words.
        level: 1 to 6.
        section: index of the section that holds it.
        stop: index after the last section that it stands over (its own, and those under it).
    """

    title: str
    level: int
    section: int
    stop: int


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a document.

    Attributes:
        path: the headings that it stands under, outermost first, as in ``Report > Findings``.
        text: its headings and text.
    """

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document in sections.

    Attributes:
        sections: in order; empty where the document has no text.
        headings: in order.
    """

    sections: tuple[Section, ...]
    headings: tuple[Heading, ...]


@dataclass(slots=True)
class Block:
    """A heading (level 0: none, the text before the first) with the text under it."""

    level: int
    title: str
    head: str
    body: str


def document_of(blocks: Iterable[Block]) -> Document:
    """Sections and headings of blocks; a block without text joins the next one."""
    sections: list[Section] = []
    headings: list[tuple[str, int, int]] = []
    trail: list[tuple[int, str]] = []
    waiting: list[str] = []
    for block in blocks:
        body = block.body.strip("\n").rstrip()
        if block.level:
            trail = [entry for entry in trail if entry[0] < block.level] + [(block.level, block.title)]
            headings.append((block.title, block.level, len(sections)))
            waiting.append(block.head)
        if body and not all(_RULE.fullmatch(line) or not line.strip() for line in body.splitlines()):
            sections.append(Section(_path(trail), "\n".join([*waiting, body])))
            waiting = []
    if waiting:
        sections.append(Section(_path(trail), "\n".join(waiting)))
    return Document(tuple(sections), _spans(headings, len(sections)))


def _path(trail: Sequence[tuple[int, str]]) -> str:
    """The headings that lead to a section."""
    return " > ".join(title for _, title in trail if title)


def _spans(headings: Sequence[tuple[str, int, int]], sections: int) -> tuple[Heading, ...]:
    """Each heading with the sections down to the next heading of its level or above."""
    spans = []
    for i, (title, level, section) in enumerate(headings):
        following = (start for _, other, start in headings[i + 1 :] if other <= level)
        spans.append(Heading(title, level, section, max(next(following, sections), section + 1)))
    return tuple(spans)


def read_markdown(text: str) -> Document:
    """The sections of a Markdown document; its text is left as it is written."""
    blocks = [Block(0, "", "", "")]
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        found = None if fence else _HEADING.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        blocks[-1].body, lines = "\n".join(lines), []
        blocks.append(Block(len(found[1]), _EMPHASIS.sub("", found[2] or "").strip(), line.strip(), ""))
    blocks[-1].body = "\n".join(lines)
    return document_of(blocks)
