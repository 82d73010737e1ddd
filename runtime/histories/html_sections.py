"""HTML documents cut at their headings, as plain text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from designsearch.runtime.histories.sections import Block, Document, document_of


def read_html(text: str) -> Document:
    """The sections of an HTML document as plain text: a table row is a line, its cells parted by ``|``."""
    parser = _Reader()
    parser.feed(text)
    parser.close()
    return document_of(parser.finish())


class _Reader(HTMLParser):
    """Collects the visible text of an HTML document under its headings."""

    _HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
    _HIDDEN = frozenset({"script", "style", "head", "title", "template", "noscript"})
    _IN_HEAD = frozenset({"title", "meta", "link", "base", "style", "script", "template", "noscript"})
    _LINES = frozenset({
        "p", "div", "br", "hr", "li", "ul", "ol", "table", "tr", "blockquote", "pre", "section", "article", "header",
        "footer", "dl", "dt", "dd", "caption", "figure", "figcaption", "details", "summary", "main", "nav", "aside",
    })  # fmt: skip
    _CELLS = frozenset({"td", "th"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks = [Block(0, "", "", "")]
        self._parts: list[str] = []
        self._hidden: list[str] = []
        self._heading = 0
        self._preformatted = 0
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a heading, a line, a cell or something that is not shown."""
        if self._hidden == ["head"] and tag not in self._IN_HEAD:
            self._hidden.clear()  # the end of the head need not be marked
        if tag in self._HIDDEN:
            self._hidden.append(tag)
        elif tag in self._HEADINGS:
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
        elif tag in self._HEADINGS and self._heading:
            title = " ".join("".join(self._parts).split())
            self._blocks.append(Block(self._heading, title, title, ""))
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

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Pass over ``<![...]>``, of which the parser knows some kinds and stops with an error at any other."""
        end = self.rawdata.find(">", i)
        return end + 1 if end >= 0 else -1

    def _close_block(self) -> None:
        """Give the text so far to the last heading."""
        body = "\n".join(_line(line) for line in "".join(self._parts).split("\n") if line.strip())
        last = self._blocks[-1]
        last.body = "\n".join(part for part in (last.body, body) if part)
        self._parts, self._heading = [], 0

    def finish(self) -> list[Block]:
        """The blocks of the whole document."""
        self._close_block()
        return self._blocks


def _line(line: str) -> str:
    """A line without surplus space, the cells of a table row parted by ``|``."""
    if "\t" not in line:
        return " ".join(line.split())
    return " | ".join(" ".join(cell.split()) for cell in line.strip(" ").removeprefix("\t").split("\t"))
