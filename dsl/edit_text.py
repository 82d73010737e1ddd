"""Single changes to a document's text: replace a value, add, insert or remove an entry; other lines stay as they are.

Each function returns the new text. Whether it reads as meant is for the caller to check, since YAML can always be laid
out in one more way.
"""

from __future__ import annotations

from collections.abc import Sequence as Lines
from typing import Any

from designsearch.dsl.emit import STEP, block, entry, flow, item, key
from designsearch.dsl.layout import BLOCK_HEAD, Layout, UnfamiliarLayoutError
from designsearch.dsl.nodes import Alias, Mapping, Node, Scalar, Sequence


def replace_value(at: Layout, node: Node, value: Any) -> str:
    """Write another value in the place of a node."""
    home = at.homes.get(id(node))
    if home is None:
        return _replace_root(at, node, value)
    if home.holder.flow:
        return _replace_in_flow(at, node, home.index, home.holder, value)
    if isinstance(home.holder, Sequence):
        dash = at.dash(home.holder, home.index)
        return _replace_in_block(at, node, value, dash + 1, at.column(dash) + STEP, is_item=True)
    first, (name, _) = home.holder.pairs[0][0], home.holder.pairs[home.index]
    return _replace_in_block(at, node, value, at.colon(name) + 1, at.column(first.start) + STEP, is_item=False)


def _replace_root(at: Layout, node: Node, value: Any) -> str:
    style = "flow" if isinstance(node, Mapping) and node.flow else "block"
    head, body = block(value, 0, style)
    lines = [head] if head else body
    return at.text[: node.start] + at.newline.join(lines) + at.text[at.end(node) :]


def _replace_in_flow(at: Layout, node: Node, index: int, holder: Mapping | Sequence, value: Any) -> str:
    start, end, written = node.start, at.end(node), flow(value)
    if start == end and isinstance(holder, Mapping):
        name = holder.pairs[index][0]
        has_colon = at.text[name.end :].lstrip(" \t").startswith(":")
        start = end = at.colon(name) + 1 if has_colon else name.end
        written = f" {written}" if has_colon else f": {written}"
    return at.text[:start] + written + at.text[end:]


def _replace_in_block(at: Layout, node: Node, value: Any, marker: int, indent: int, *, is_item: bool) -> str:
    """Replace the value after a ``:`` or ``-`` that ends at ``marker``; lines below get ``indent`` spaces."""
    is_block = isinstance(node, Mapping | Sequence) and not node.flow
    style = "block" if is_block else "flow" if isinstance(node, Mapping | Sequence) else ""
    head, body = block(value, indent, style)
    if is_item and not head:
        head, body = body[0][indent:], body[1:]
    head_start, head_end, below = _extent(at, node, marker)
    line_end = at.line_end(head_end)
    before = at.text[:head_start].rstrip(" ") if head_start == marker or not head else at.text[:head_start]
    gap = " " if head and not before.endswith(" ") else ""
    line = before + gap + head + at.text[head_end:line_end]
    if below is None:
        inner = at.newline + at.newline.join(body) if body else ""
        return line + inner + (at.text[line_end:] or at.newline * bool(body))
    kept = at.text[at.next_line(line_end) : below[0]]
    if head and body:
        # Comments below the head of a text block would be read as its text.
        kept_lines = [line.strip() and " " * (indent - STEP) + line.strip() for line in kept.splitlines()]
        return line + at.newline + _lines(at, [*body, *kept_lines]) + at.text[below[1] :]
    return line + at.newline + kept + _lines(at, body) + at.text[below[1] :]


def _lines(at: Layout, lines: Lines[str]) -> str:
    return "".join(line + at.newline for line in lines)


def _extent(at: Layout, node: Node, marker: int) -> tuple[int, int, tuple[int, int] | None]:
    """Where a value stands: the part on its marker's line, and the whole lines below, if any."""
    end = at.end(node)
    if node.start == end:
        return marker, marker, None
    content = at.content(node)
    same_line = at.line_start(node.start) == at.line_start(marker)
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        head = BLOCK_HEAD.match(at.text, node.start)
        head_end = head.end() if head else node.start
        return node.start, head_end, (at.next_line(head_end), at.next_line(end))
    if same_line and at.line_start(content) != at.line_start(marker):
        properties = at.text[node.start : at.line_end(node.start)].split("#")[0].rstrip()
        return node.start, node.start + len(properties), (at.line_start(content), at.next_line(end))
    if same_line:
        return node.start, node.start + len(at.text[node.start : end].rstrip("\r\n")), None
    return marker, marker, (at.line_start(node.start), at.next_line(end))


def add_key(at: Layout, mapping: Mapping, name: str, value: Any) -> str:
    """Add a key at the end of a mapping."""
    if mapping.flow:
        return _add_in_flow(at, mapping, [v for _, v in mapping.pairs], f"{key(name)}: {flow(value)}")
    indent = at.column(mapping.pairs[0][0].start)
    styles = {_style(v) for _, v in mapping.pairs if isinstance(v, Mapping | Sequence)}
    lines = entry(name, value, indent, styles.pop() if len(styles) == 1 else "")
    return _insert_lines(at, at.next_line(at.end(mapping)), lines)


def insert_item(at: Layout, sequence: Sequence, index: int, value: Any) -> str:
    """Insert an entry into a list, before the one at ``index`` or at its end."""
    if sequence.flow:
        if index == len(sequence.items):
            return _add_in_flow(at, sequence, sequence.items, flow(value))
        start = sequence.items[index].start
        return f"{at.text[:start]}{flow(value)}, {at.text[start:]}"
    first = at.dash(sequence, 0)
    indent = at.column(first)
    beside = sequence.items[max(index - 1, 0)]
    lines = item(value, indent, _style(beside) if isinstance(beside, Mapping | Sequence) else "")
    if index > 0:
        return _insert_lines(at, at.next_line(at.end_of_item(sequence, index - 1)), lines)
    if not at.starts_line(first):
        joined = at.newline.join(lines)[indent:]
        return at.text[:first] + joined + at.newline + " " * indent + at.text[first:]
    # Comments between a key and its first entry describe that entry and stay with it.
    home = at.homes.get(id(sequence))
    above = at.line_start(first)
    if home is not None and isinstance(home.holder, Mapping) and sequence.anchor is None:
        above = at.next_line(at.colon(home.holder.pairs[home.index][0]) + 1)
    return _insert_lines(at, above, lines)


def _style(node: Node) -> str:
    return "flow" if isinstance(node, Mapping | Sequence) and node.flow else "block"


def _add_in_flow(at: Layout, holder: Mapping | Sequence, values: Lines[Node], written: str) -> str:
    if not values:
        end = holder.end - 1
        start = at.text.rfind("{" if isinstance(holder, Mapping) else "[", holder.start, end) + 1
        inner = at.text[start:end].strip()
        return at.text[:start] + written + at.text[start if inner else end :]
    end = at.end(values[-1])
    if isinstance(holder, Mapping):
        end = max(end, holder.pairs[-1][0].end)
    return f"{at.text[:end]}, {written}{at.text[end:]}"


def _insert_lines(at: Layout, index: int, lines: Lines[str]) -> str:
    before = at.text[:index]
    if before and before[-1] not in "\r\n":
        return before + at.newline + at.newline.join(lines) + (at.newline if len(lines) > 1 else "")
    return before + _lines(at, lines) + at.text[index:]


def remove_entry(at: Layout, holder: Mapping | Sequence, index: int) -> str:
    """Remove one entry of a collection; an empty one is left as ``{}`` or ``[]``."""
    starts = _starts(at, holder)
    if len(starts) == 1:
        return replace_value(at, holder, {} if isinstance(holder, Mapping) else [])
    end = at.end_of_pair(holder, index) if isinstance(holder, Mapping) else at.end_of_item(holder, index)
    if holder.flow:
        return _cut_in_flow(at, starts, index, end, holder)
    start = starts[index]
    if at.starts_line(start):
        return at.text[: at.line_start(start)] + at.text[at.next_line(end) :]
    # The first entry of a mapping inside a list: the next one moves up behind the dash, comments go above it.
    following = starts[index + 1]
    between = at.text[at.next_line(end) : at.line_start(following)]
    comments = "".join(line for line in between.splitlines(keepends=True) if line.strip().startswith("#"))
    line = at.line_start(start)
    return at.text[:line] + comments + at.text[line:start] + at.text[following:]


def _starts(at: Layout, holder: Mapping | Sequence) -> list[int]:
    """Where each entry of a collection begins: its key, its dash, or in a flow list the value itself."""
    if isinstance(holder, Mapping):
        return [name.start for name, _ in holder.pairs]
    if holder.flow:
        return [node.start for node in holder.items]
    return [at.dash(holder, i) for i in range(len(holder.items))]


def _cut_in_flow(at: Layout, starts: list[int], index: int, end: int, holder: Mapping | Sequence) -> str:
    if index < len(starts) - 1:
        if at.text[end : starts[index + 1]].strip(" \t\r\n,"):
            raise UnfamiliarLayoutError  # a comment stands between the two
        return at.text[: starts[index]] + at.text[starts[index + 1] :]
    before = at.end_of_pair(holder, index - 1) if isinstance(holder, Mapping) else at.end(holder.items[index - 1])
    gap = at.text[before : starts[index]]
    kept = gap.replace(",", "", 1) if "#" in gap else ""
    return at.text[:before] + kept + at.text[end:]


def rename_key(at: Layout, mapping: Mapping, index: int, name: str) -> str:
    """Give an entry another key and leave it where it is."""
    node = mapping.pairs[index][0]
    return at.text[: node.start] + key(name) + at.text[node.end :]


def move_item(at: Layout, sequence: Sequence, index: int, to: int) -> str:
    """Move an entry of a block list, with the comment lines right above it, to the position ``to`` among the others."""
    starts = _starts(at, sequence)
    if sequence.flow or not all(at.starts_line(start) for start in starts):
        raise UnfamiliarLayoutError
    spans = [(_with_comments(at, starts[i]), at.next_line(at.end_of_item(sequence, i))) for i in range(len(starts))]
    start, end = spans.pop(index)
    moved = at.text[start:end]
    if not moved.endswith(("\n", "\r")):
        raise UnfamiliarLayoutError
    target = spans[to][0] if to < len(spans) else spans[-1][1]
    if target <= start:
        return at.text[:target] + moved + at.text[target:start] + at.text[end:]
    between = at.text[end:target]
    return at.text[:start] + between + ("" if between.endswith(("\n", "\r")) else at.newline) + moved + at.text[target:]


def _with_comments(at: Layout, start: int) -> int:
    """Start of the line of an entry, or of the comment lines right above it that stand in its column."""
    column, line = at.column(start), at.line_start(start)
    while line:
        above = at.line_start(line - 1)
        if at.text[above + column : above + column + 1] != "#" or at.text[above : above + column].strip(" "):
            break
        line = above
    return line


def expand_merge(at: Layout, mapping: Mapping, index: int, entries: dict[str, Any]) -> str:
    """Write out what a merge brings, in its place."""
    if not entries:
        return remove_entry(at, mapping, index)
    name, value = mapping.pairs[index]
    start, end = name.start, at.end(value)
    if mapping.flow:
        return at.text[:start] + flow(entries)[1:-1] + at.text[end:]
    column = at.column(mapping.pairs[0][0].start)
    lines = [line for inner, held in entries.items() for line in entry(inner, held, column)]
    # A comment behind the merge stays behind the first line that takes its place.
    lines[0] += at.text[end : at.line_end(end)].rstrip()
    return at.text[:start] + at.newline.join(lines)[column:] + at.text[at.line_end(end) :]


def is_within(node: Node, other: Node) -> bool:
    """Whether ``node`` stands inside ``other`` as written, or is it."""
    if node is other:
        return True
    if isinstance(other, Alias | Scalar):
        return False
    inner = other.items if isinstance(other, Sequence) else [part for pair in _pairs(other) for part in pair]
    return any(is_within(node, child) for child in inner)


def _pairs(node: Node) -> list[tuple[Node, Node]]:
    return node.pairs if isinstance(node, Mapping) else []
