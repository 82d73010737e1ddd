"""YAML text to a tree of nodes, each with the span of characters it stands in.

Built on PyYAML's events (libyaml's where it is there), not on its constructors: an alias keeps its own place, nothing
is ever executed, and depth and expanded size are bounded while reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_DEPTH = 60
MAX_SIZE = 50_000
"""Nodes of a document with every alias written out."""

_LOADERS: tuple[Any, ...] = tuple(
    loader for loader in (getattr(yaml, "CSafeLoader", None), yaml.SafeLoader) if loader is not None
)
_TEXT_WEIGHT = 200
"""Characters of a text that count as one node, so that a bomb made of long texts is seen too."""


class NotOneDocumentError(Exception):
    """The text cannot be read as one document; ``index`` is the character where that shows."""

    def __init__(self, message: str, index: int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.hint = hint


@dataclass(slots=True, eq=False)
class Node:
    """What all nodes have in common.

    Attributes:
        start: index of the first character, an anchor or a tag included.
        end: index after the last character, as the parser gives it (block collections and block scalars run on to the
            next token).
        anchor: the name after ``&``, or ``None``.
        tag: an explicit tag, or ``None``.
        size: nodes in this one, with every alias written out.
    """

    start: int
    end: int
    anchor: str | None = None
    tag: str | None = None
    size: int = 1


@dataclass(slots=True, eq=False)
class Scalar(Node):
    """A text or number; ``style`` is ``'``, ``"``, ``|``, ``>`` or empty for a plain one."""

    text: str = ""
    style: str = ""


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """A list, written in flow style (``[a, b]``) or as a block."""

    flow: bool = False
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Mapping(Node):
    """Keys and values, written in flow style (``{a: 1}``) or as a block."""

    flow: bool = False
    pairs: list[tuple[Node, Node]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Alias(Node):
    """A ``*name``: another node once more."""

    name: str = ""
    target: Node = field(default_factory=lambda: Node(0, 0))


def resolve(node: Node) -> Node:
    """The node itself, or what an alias stands for."""
    while isinstance(node, Alias):
        node = node.target
    return node


def compose(text: str) -> Node | None:
    """The tree of the one document in ``text``; ``None`` where there is nothing but comments.

    Raises:
        NotOneDocumentError: several documents, too deep, too large, or an alias that cannot be followed.
        yaml.MarkedYAMLError: not YAML.
    """
    for loader in _LOADERS:
        try:
            return _Composer(yaml.parse(text, Loader=loader)).document()
        except yaml.YAMLError as error:
            failure = error
    # The pure Python parser came last: its messages are the more detailed ones.
    raise failure


def _start(event: Any) -> int:
    return int(event.start_mark.index)


def _end(event: Any) -> int:
    return int(event.end_mark.index)


class _Composer:
    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.anchors: dict[str, Node] = {}
        self.open: list[str] = []
        self.used = 0

    def document(self) -> Node | None:
        root: Node | None = None
        count = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                count += 1
                if count > 1:
                    count += self.documents_left()
                    raise NotOneDocumentError(f"found {count} documents", _start(event), "the second starts here")
            elif isinstance(event, yaml.NodeEvent):
                root = self.node(event, 0)
        return root

    def documents_left(self) -> int:
        try:
            return sum(isinstance(event, yaml.DocumentStartEvent) for event in self.events)
        except yaml.YAMLError:
            return 0

    def node(self, event: Any, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise NotOneDocumentError(f"nested more than {MAX_DEPTH} levels deep", _start(event))
        node: Node
        if isinstance(event, yaml.AliasEvent):
            node = self.alias(event)
        elif isinstance(event, yaml.ScalarEvent):
            node = self.scalar(event)
        else:
            node = self.collection(event, depth)
        if event.anchor is not None and not isinstance(node, Alias):
            self.anchors[event.anchor] = node
        return node

    def alias(self, event: Any) -> Alias:
        name, start = event.anchor, _start(event)
        if name in self.open:
            message = f"*{name} stands inside its own anchor &{name}"
            raise NotOneDocumentError(message, start, "a value cannot hold itself")
        if name not in self.anchors:
            raise NotOneDocumentError(f"*{name} has no anchor &{name} before it", start, "quote it if a text is meant")
        target = self.anchors[name]
        self.count(target.size, start)
        return Alias(start, _end(event), size=target.size, name=name, target=target)

    def scalar(self, event: Any) -> Scalar:
        start = _start(event)
        size = 1 + len(event.value) // _TEXT_WEIGHT
        self.count(size, start)
        tag = event.tag if not event.implicit[0] and not event.implicit[1] else None
        return Scalar(start, _end(event), event.anchor, tag, size, event.value, event.style or "")

    def collection(self, event: Any, depth: int) -> Node:
        start, flow = _start(event), bool(event.flow_style)
        tag = None if event.implicit else event.tag
        self.count(1, start)
        if event.anchor is not None:
            self.open.append(event.anchor)
        node: Sequence | Mapping
        if isinstance(event, yaml.SequenceStartEvent):
            node = Sequence(start, start, event.anchor, tag, 1, flow)
            self.fill_sequence(node, depth)
        else:
            node = Mapping(start, start, event.anchor, tag, 1, flow)
            self.fill_mapping(node, depth)
        if event.anchor is not None:
            self.open.pop()
        return node

    def fill_sequence(self, node: Sequence, depth: int) -> None:
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            child = self.node(event, depth + 1)
            node.items.append(child)
            node.size += child.size
        node.end = _end(event)

    def fill_mapping(self, node: Mapping, depth: int) -> None:
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            node.pairs.append((key, value))
            node.size += key.size + value.size
        node.end = _end(event)

    def count(self, size: int, index: int) -> None:
        self.used += size
        if self.used > MAX_SIZE:
            raise NotOneDocumentError(
                f"more than {MAX_SIZE} values once every alias is written out", index, "use fewer or smaller aliases"
            )
