"""Read one YAML document strictly, keeping the place of every key and value.

What PyYAML would let through in silence is an error here, in one clear line: duplicate keys, values that another YAML
reader would read differently, several documents, tags, aliases that explode. All problems of a document that can be
read at all are found at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import yaml

from designsearch.dsl.nodes import Mapping, Node, NotOneDocumentError, Scalar, Sequence, compose, resolve
from designsearch.dsl.paths import Path, show_path
from designsearch.dsl.problems import MOST_PROBLEMS, InvalidFileError, Problem, first_problems
from designsearch.dsl.regular_file import open_file
from designsearch.dsl.scalars import AmbiguousScalarError, plain_value
from designsearch.dsl.syntax import TEMPLATE_VALUE, explain

MAX_BYTES = 2_000_000
"""A file larger than this is refused before it is parsed."""

_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_SHOWN = 160
"""Characters of a source line shown after the caret; a mistake further right than this is shown without its line."""

_LINE_START = re.compile(r"\r\n|\n|\r")
MERGE = "<<"
"""The key that takes over the entries of another mapping."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: character indexes of its key (``None`` for list items) and of the value itself."""

    key: int | None
    value: int


@dataclass(frozen=True)
class Source:
    """One document as read.

    Attributes:
        file: its name for messages.
        text: the text without a byte order mark.
        value: the plain tree; aliases and merges are written out.
        places: where each path stands.
        nodes: the node behind each path, an alias as itself.
        problems: what is wrong with the YAML itself.
        broken: the paths of those problems; a value there means nothing, so that nobody need complain about it again.
    """

    file: str
    text: str
    value: Any
    places: dict[Path, Place] = field(repr=False)
    nodes: dict[Path, Node] = field(repr=False)
    problems: tuple[Problem, ...] = ()
    broken: frozenset[Path] = frozenset()

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in _LINE_START.finditer(self.text))]

    def position(self, index: int) -> tuple[int, int]:
        """1-based line and column of a character."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its line break."""
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return self.text[self._starts[line - 1] : end].rstrip("\r\n")

    def index_at(self, line: int, offset: int) -> int:
        """Index of the character ``offset`` places after the start of a 1-based line."""
        return self._starts[line - 1] + offset

    def index_of(self, path: Path) -> int:
        """Index of the value at ``path``, or of the nearest value around it that exists."""
        while path not in self.places and path:
            path = path[:-1]
        place = self.places.get(path)
        return place.value if place else 0

    def problem(self, path: Path, message: str, hint: str = "") -> Problem:
        """A mistake about the value at ``path``."""
        return self.problem_at(self.index_of(path), path, message, hint)

    def key_problem(self, path: Path, message: str, hint: str = "") -> Problem:
        """A mistake about the key that ends ``path``."""
        place = self.places.get(path)
        index = place.key if place and place.key is not None else self.index_of(path)
        return self.problem_at(index, path, message, hint)

    def problem_at(self, index: int, path: Path, message: str, hint: str = "") -> Problem:
        """A mistake at a character of the text."""
        line, column = self.position(index)
        shown = _UNREADABLE.sub("\ufffd", self.line_text(line)[: column + _LINE_SHOWN])
        return Problem(self.file, line, column, show_path(path), message, hint, shown if column <= _LINE_SHOWN else "")


def read(text: str, file: str = "<text>", *, kind: str = "design") -> Source:
    """Read a document that must be without problems.

    Raises:
        InvalidFileError: with every problem of the YAML.
    """
    source = scan(text, file, kind=kind)
    if source.problems:
        raise InvalidFileError(source.problems)
    return source


def scan(text: str, file: str = "<text>", *, kind: str = "design") -> Source:
    """Read a document and collect the problems that leave a tree to look at further.

    Args:
        text: the YAML.
        file: the name for messages.
        kind: what the document is, for messages.

    Raises:
        InvalidFileError: the text is not one YAML mapping at all; it holds exactly one problem.
    """
    text = text.removeprefix("\ufeff")
    blank = Source(file, text, None, {}, {})
    if bad := _UNREADABLE.search(text):
        raise InvalidFileError([blank.problem_at(bad.start(), (), _unreadable(bad[0]), "remove it")])
    try:
        root = compose(text)
    except NotOneDocumentError as error:
        message = error.message
        if message.startswith("found"):
            message = f"expected one {kind} (a mapping) per file, {message}"
        raise InvalidFileError([blank.problem_at(error.index, (), message, error.hint)]) from None
    except yaml.MarkedYAMLError as error:
        message, index, hint = explain(error, text)
        raise InvalidFileError([blank.problem_at(index, (), message, hint)]) from None
    if root is None:
        raise InvalidFileError([Problem(file, 1, 1, "", f"expected one {kind} (a mapping) per file, found nothing")])
    reader = _Reader(blank)
    value = reader.value(root, (), None)
    if not isinstance(resolve(root), Mapping):
        found = "a list" if isinstance(root, Sequence) else f"only the value {_short(value)}"
        raise InvalidFileError(
            [blank.problem_at(root.start, (), f"expected one {kind} (a mapping) per file, found {found}")]
        )
    problems = first_problems(reader.problems)
    return Source(file, text, value, reader.places, reader.nodes, tuple(problems), frozenset(reader.broken))


def read_text(path: str | FilePath, *, kind: str = "design") -> str:
    """The text of a file, which must be UTF-8 (a byte order mark is dropped).

    Raises:
        InvalidFileError: there is no such file, it is no regular one, cannot be read, is too large, or is not UTF-8.
    """
    name = str(path)
    try:
        with open_file(FilePath(path)) as handle:
            data = handle.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InvalidFileError([Problem(name, 0, 0, "", _unopened(error, kind))]) from None
    if len(data) > MAX_BYTES:
        raise InvalidFileError([Problem(name, 0, 0, "", f"larger than {MAX_BYTES} bytes, so not a {kind}")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace").removeprefix("\ufeff")
        line, column = Source(name, before, None, {}, {}).position(len(before))
        looks = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "Latin-1"
        message = f"not UTF-8: byte 0x{data[error.start]:02x}, as a {looks} file has"
        raise InvalidFileError([Problem(name, line, column, "", message, "save the file as UTF-8")]) from None


def _unopened(error: OSError | ValueError, kind: str) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no such {kind} file"
    if isinstance(error, IsADirectoryError):
        return f"is a folder, not a {kind} file"
    if isinstance(error, PermissionError):
        return "cannot be read: permission denied"
    return f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"


def _unreadable(character: str) -> str:
    code = ord(character)
    name = "half of a surrogate pair" if 0xD800 <= code <= 0xDFFF else "a control character"
    return f"U+{code:04X} is {name}, which a text may not hold"


def _short(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


class _Reader:
    """Turns nodes into the plain tree, noting places and problems."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.places: dict[Path, Place] = {}
        self.nodes: dict[Path, Node] = {}
        self.problems: list[Problem] = []
        self.broken: set[Path] = set()
        self.reported: set[tuple[int, int]] = set()

    def report(self, node: Node, path: Path, message: str, hint: str = "", *, before: int = 0) -> None:
        self.broken.add(path)
        if len(self.problems) > MOST_PROBLEMS:
            return
        problem = self.source.problem_at(node.start - before, path, message, hint)
        # An anchor that is used twice would report its mistake twice.
        if (problem.line, problem.column) not in self.reported:
            self.reported.add((problem.line, problem.column))
            self.problems.append(problem)

    def value(self, node: Node, path: Path, key: Node | None) -> Any:
        self.places[path] = Place(key.start if key else None, node.start)
        self.nodes[path] = node
        node = resolve(node)
        if node.tag is not None:
            self.report(node, path, "tags such as !!python/object are not allowed", "write the value without the tag")
        if isinstance(node, Sequence):
            return [self.value(item, (*path, i), None) for i, item in enumerate(node.items)]
        if isinstance(node, Mapping):
            return self.mapping(node, path)
        assert isinstance(node, Scalar)
        return self.scalar(node, path)

    def scalar(self, node: Scalar, path: Path) -> Any:
        if not node.style:
            try:
                return plain_value(node.text)
            except AmbiguousScalarError as error:
                self.report(node, path, error.message, error.hint)
                return node.text
        if bad := _UNREADABLE.search(node.text):
            self.report(node, path, _unreadable(bad[0]), "remove it")
            return node.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return node.text

    def mapping(self, node: Mapping, path: Path) -> dict[str, Any]:
        pairs = self.pairs(node, path)
        return {key: self.value(value, (*path, key), key_node) for key, (key_node, value) in pairs.items()}

    def pairs(self, node: Mapping, path: Path) -> dict[str, tuple[Node, Node]]:
        """Key and value nodes by key, merges written out; a mapping's own keys override merged ones."""
        own: dict[str, tuple[Node, Node]] = {}
        merged: dict[str, tuple[Node, Node]] = {}
        first: dict[str, Node] = {}
        for key_node, value_node in node.pairs:
            merging = is_merge(key_node)
            key = MERGE if merging else self.key(key_node, path)
            if key is None:
                continue
            if key in first:
                line = self.source.position(first[key].start)[0]
                message = f"duplicate key {key}, first on line {line}"
                self.report(key_node, (*path, key), message, "remove one of the two")
                self.broken.discard((*path, key))  # the first value stands and is checked
                continue
            first[key] = key_node
            if merging:
                merged = self.merged(value_node, path)
            else:
                own[key] = (key_node, value_node)
        return merged | own

    def merged(self, node: Node, path: Path) -> dict[str, tuple[Node, Node]]:
        target = resolve(node)
        result: dict[str, tuple[Node, Node]] = {}
        for part in target.items if isinstance(target, Sequence) else [target]:
            mapping = resolve(part)
            if isinstance(mapping, Mapping):
                result = self.pairs(mapping, path) | result  # the first one named wins
            else:
                self.report(part, path, "<< needs a mapping, or a list of mappings")
        return result

    def key(self, node: Node, path: Path) -> str | None:
        if isinstance(node, Mapping | Sequence):
            opening = self.source.text[node.start - 1 : node.start + 1]
            if opening == "{{":
                self.report(node, path, TEMPLATE_VALUE.format(opening=opening), before=1)
            else:
                self.report(node, path, "a key must be a text")
            return None
        target = resolve(node)
        if not isinstance(target, Scalar):
            self.report(node, path, "a key must be a text")
            return None
        value = self.scalar(target, path)
        if isinstance(value, str):
            return value
        shown = target.text or "(empty)"
        self.report(node, path, f"the key {shown} is not a text", "quote it")
        return None


def merged_keys(source: Source, node: Node) -> set[str]:
    """The keys that a merge of ``node`` brings."""
    return set(_Reader(source).merged(node, ()))


def is_merge(node: Node) -> bool:
    """Whether a key node is the merge key ``<<`` (a quoted one is an ordinary key)."""
    return isinstance(node, Scalar) and node.text == MERGE and not node.style
