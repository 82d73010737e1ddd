"""Where the parts of a document stand in its text, exactly enough to change one and leave the rest alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from designsearch.dsl.nodes import Alias, Mapping, Node, Scalar, Sequence
from designsearch.dsl.paths import Path
from designsearch.dsl.source import Source, is_merge

_BREAK = re.compile(r"\r\n|\n|\r")
BLOCK_HEAD = re.compile(r"(?:[&!]\S*\s+)*[|>][-+0-9]*")
_ANCHOR = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)+")
_GAP = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*[ \t]*")


class UnfamiliarLayoutError(Exception):
    """The text is laid out in a way that no local change is known for."""


@dataclass(frozen=True, slots=True)
class Home:
    """What holds a node: a collection and the position in it."""

    holder: Mapping | Sequence
    index: int


class Layout:
    """A document's text with the tree of its nodes as written: aliases and merges are themselves."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        root = source.nodes[()]
        self.homes: dict[int, Home] = {}
        self.aliases: list[Alias] = []
        self.paths: dict[int, Path] = {}
        for path, node in source.nodes.items():
            self.paths.setdefault(id(node), path)
        self._visit(root)
        first_break = _BREAK.search(self.text)
        self.newline = first_break[0] if first_break else "\n"

    def _visit(self, node: Node) -> None:
        if isinstance(node, Alias):
            self.aliases.append(node)
        elif isinstance(node, Sequence):
            for i, item in enumerate(node.items):
                self.homes[id(item)] = Home(node, i)
                self._visit(item)
        elif isinstance(node, Mapping):
            for i, (key, value) in enumerate(node.pairs):
                self.homes[id(key)] = self.homes[id(value)] = Home(node, i)
                self._visit(key)
                self._visit(value)

    def pair(self, mapping: Mapping, key: str) -> int | None:
        """Which of a mapping's own pairs has that key."""
        for i, (node, _) in enumerate(mapping.pairs):
            if isinstance(node, Scalar) and node.text == key and not is_merge(node):
                return i
        return None

    def merge(self, mapping: Mapping) -> int | None:
        """Which of a mapping's pairs is its merge."""
        return next((i for i, (key, _) in enumerate(mapping.pairs) if is_merge(key)), None)

    def end(self, node: Node) -> int:
        """Index after the last character that belongs to a node, comments and blank lines after it excluded."""
        if isinstance(node, Scalar) and node.style in ("|", ">"):
            raw = self.text[node.start : node.end]
            head = BLOCK_HEAD.match(raw)
            if head is not None and "+" in head[0]:
                return node.end
            return node.start + len(raw.rstrip("\r\n"))
        if isinstance(node, Sequence) and not node.flow:
            return self.end_of_item(node, len(node.items) - 1)
        if isinstance(node, Mapping) and not node.flow:
            return self.end_of_pair(node, len(node.pairs) - 1)
        return node.end

    def end_of_item(self, sequence: Sequence, index: int) -> int:
        """Index after the last character of an entry of a list, which may be empty."""
        end = self.end(sequence.items[index])
        return end if sequence.flow else max(end, self.dash(sequence, index) + 1)

    def end_of_pair(self, mapping: Mapping, index: int) -> int:
        """Index after the last character of a key and its value, which may be empty."""
        key, value = mapping.pairs[index]
        return max(self.end(value), key.end if mapping.flow else self.colon(key) + 1)

    def line_start(self, index: int) -> int:
        """Index of the first character of the line that ``index`` is on."""
        return max(self.text.rfind("\n", 0, index), self.text.rfind("\r", 0, index)) + 1

    def line_end(self, index: int) -> int:
        """Index of the line break that ends the line ``index`` is on, or of the end of the text."""
        found = _BREAK.search(self.text, index)
        return found.start() if found else len(self.text)

    def next_line(self, index: int) -> int:
        """Index of the line after the one that a part which ends at ``index`` stands on."""
        if index and self.text[index - 1] in "\r\n":
            return index
        found = _BREAK.search(self.text, index)
        return found.end() if found else len(self.text)

    def column(self, index: int) -> int:
        """0-based column."""
        return index - self.line_start(index)

    def starts_line(self, index: int) -> bool:
        """Whether nothing but spaces stands before ``index`` on its line."""
        return not self.text[self.line_start(index) : index].strip(" ")

    def colon(self, key: Node) -> int:
        """Index of the ``:`` after a key."""
        at = key.end
        while at < len(self.text) and self.text[at] in " \t":
            at += 1
        if self.text[at : at + 1] != ":":
            raise UnfamiliarLayoutError
        return at

    def after_properties(self, node: Node) -> int:
        """Index after an anchor and a tag, where the node has them."""
        if node.anchor is None and node.tag is None:
            return node.start
        found = _ANCHOR.match(self.text, node.start)
        return found.end() if found else node.start

    def content(self, node: Node) -> int:
        """Index where a value itself begins, after its anchor and the comments below that."""
        if isinstance(node, Sequence) and not node.flow:
            return self.dash(node, 0)
        if isinstance(node, Mapping) and not node.flow:
            return node.pairs[0][0].start
        return self.after_properties(node)

    def dash(self, sequence: Sequence, index: int) -> int:
        """Index of the ``-`` before an entry of a block list."""
        if index == 0:
            at = self.after_properties(sequence)
        else:
            last = self.end(sequence.items[index - 1])
            # An empty entry ends where it began, right after its dash.
            at = last if last and self.text[last - 1] in "\r\n" else self.line_end(last)
        gap = _GAP.match(self.text, at)
        at = gap.end() if gap else at
        if self.text[at : at + 1] != "-":
            raise UnfamiliarLayoutError
        return at
