"""Where a character of a template stands in the YAML file that holds it."""

from __future__ import annotations

from designsearch.dsl.nodes import Scalar, resolve
from designsearch.dsl.paths import Path
from designsearch.dsl.source import Source


def place_in_source(source: Source, path: Path, text: str, offset: int, fragment: str) -> int:
    """The index in the file of a character of the template at ``path``.

    The third line of a block that starts at line 14 is line 17. In a quoted or folded text, where characters and lines
    do not match one to one, the same occurrence of ``fragment`` is looked for; without one it is the text's own start.
    """
    node = resolve(source.nodes[path])
    if not isinstance(node, Scalar):
        return node.start
    if node.style == "|":
        return _in_block(source, node, text, offset)
    if not fragment:
        return node.start
    at = node.start
    for _ in range(text.count(fragment, 0, offset) + 1):
        at = source.text.find(fragment, at, node.end) + 1
        if at == 0:
            return node.start
    return at - 1


def _in_block(source: Source, node: Scalar, text: str, offset: int) -> int:
    header, _ = source.position(node.start)
    line = header + 1 + text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    shown = text[start:] if end < 0 else text[start:end]
    indent = max(len(source.line_text(line)) - len(shown), 0)
    return source.index_at(line, indent + offset - start)
