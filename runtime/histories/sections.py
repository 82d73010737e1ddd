"""Documents cut at their headings: Markdown and HTML.

A section is the text under one heading, down to the next heading of any level. A heading with no text of its own goes
in front of the section that follows it, so that nothing is lost and no section is a heading alone (unless it is last).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

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
class _Block:
    """A heading (level 0: none, the text before the first) with the text under it."""

    level: int
    title: str
    head: str
    body: str


def read_markdown(text: str) -> Document:
    """The sections of a Markdown document; its text is left as it is written."""
    blocks = [_Block(0, "", "", "")]
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
        blocks.append(_Block(len(found[1]), _EMPHASIS.sub("", found[2] or "").strip(), line.strip(), ""))
    blocks[-1].body = "\n".join(lines)
    return _document(blocks)


def read_html(text: str) -> Document:
    """The sections of an HTML document as plain text: a table row is a line, its cells parted by ``|``."""
    parser = _Reader()
    parser.feed(text)
    parser.close()
    return _document(parser.finish())


def _document(blocks: Iterable[_Block]) -> Document:
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


class _Reader(HTMLParser):
    """Collects the visible text of an HTML document under its headings."""

    _HIDDEN = frozenset({"script", "style", "head", "template", "noscript"})
    _LINES = frozenset({
        "p", "div", "br", "hr", "li", "ul", "ol", "table", "tr", "blockquote", "pre", "section", "article", "header",
        "footer", "dl", "dt", "dd", "caption", "figure", "figcaption", "details", "summary", "main", "nav", "aside",
    })  # fmt: skip
    _CELLS = frozenset({"td", "th"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks = [_Block(0, "", "", "")]
        self._parts: list[str] = []
        self._hidden: list[str] = []
        self._heading = 0
        self._preformatted = 0
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a heading, a line, a cell or something that is not shown."""
        if tag in self._HIDDEN:
            self._hidden.append(tag)
        elif re.fullmatch("h[1-6]", tag):
            self._close_block()
            self._heading = int(tag[1])
        elif tag in self._CELLS:
            self._in_cell = True
            self._parts.append("\t")
        elif tag in self._LINES:
            self._break_line(tag, "\n- " if tag == "li" else "\n")
            self._preformatted += tag == "pre"
        elif tag == "img":
            words = dict(attrs).get("alt") or ""
            self._parts.append(f"[image: {words}]" if words else "[image]")

    def handle_endtag(self, tag: str) -> None:
        """End what was begun; an end without a beginning is passed over."""
        if tag in self._HIDDEN:
            if tag in self._hidden:
                del self._hidden[self._hidden.index(tag) :]
        elif re.fullmatch("h[1-6]", tag) and self._heading:
            title = " ".join("".join(self._parts).split())
            self._blocks.append(_Block(self._heading, title, title, ""))
            self._parts, self._heading = [], 0
        elif tag in self._CELLS:
            self._in_cell = False
        elif tag in self._LINES:
            self._break_line(tag, "\n")
            self._preformatted -= tag == "pre" and self._preformatted > 0

    def _break_line(self, tag: str, mark: str) -> None:
        """Begin a line, but not within a cell: a table row stays one line."""
        self._in_cell = self._in_cell and tag not in ("tr", "table")
        self._parts.append(" " if self._in_cell else mark)

    def handle_data(self, data: str) -> None:
        """Text, with white space as a browser shows it."""
        if self._hidden:
            return
        if self._preformatted:
            self._parts.append(data)
            return
        self._parts.append(re.sub(r"\s+", " ", data))

    def _close_block(self) -> None:
        """Give the text so far to the last heading."""
        body = "\n".join(_line(line) for line in "".join(self._parts).split("\n") if line.strip())
        last = self._blocks[-1]
        last.body = "\n".join(part for part in (last.body, body) if part)
        self._parts, self._heading = [], 0

    def finish(self) -> list[_Block]:
        """The blocks of the whole document."""
        self._close_block()
        return self._blocks


def _line(line: str) -> str:
    """A line without surplus space, the cells of a table row parted by ``|``."""
    if "\t" not in line:
        return " ".join(line.split())
    return " | ".join(" ".join(cell.split()) for cell in line.strip(" ").removeprefix("\t").split("\t"))
