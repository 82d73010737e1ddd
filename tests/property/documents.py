"""Documents as untidy as people write them: every style that the reader accepts, drawn at random."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

WORDS = [
    "op",
    "k",
    "unit text",
    "a.b",
    "no",
    "10",
    "",
    "x#y",
    "é",
    "{{ unit.text }}",
    "a: b",
    "- c",
    "true",
    "1e3",
    "*x",
]
KEYS = ["op", "k", "view", "a.b", "on", "10", "é", "key with blanks", "<<<", "x-1"]
TEXTS = ["one\ntwo\n", "one\ntwo", "a\n\nb\n", "# not a comment\nx", "ends\n\n", "a  b\nc: d\n"]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1000, 1000),
    st.sampled_from([0.5, 1e-3, 2000.0, -1.25]),
    st.sampled_from(WORDS),
    st.sampled_from(TEXTS),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)),
    max_leaves=8,
)


class Writer:
    """Writes one random document; ``draw`` makes every choice."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.anchors: list[tuple[str, bool]] = []
        self.comments = 0

    def chance(self, one_in: int) -> bool:
        return bool(self.draw(st.integers(1, one_in)) == 1)

    def comment(self, one_in: int = 4) -> str:
        if not self.chance(one_in):
            return ""
        self.comments += 1
        return f"# note {self.comments}"

    def trailing(self) -> str:
        said = self.comment(6)
        return f"  {said}" if said else ""

    def document(self) -> str:
        lines = self.mapping(self.draw(st.integers(2, 4)), 0, depth=0)
        if self.chance(6):
            lines = ["---", *lines]
        lines = [*([self.comment(1)] if self.chance(3) else []), *lines]
        newline = "\r\n" if self.chance(5) else "\n"
        text = newline.join(lines) + ("" if self.chance(4) else newline)
        return ("\ufeff" if self.chance(8) else "") + text

    def between(self, indent: int) -> list[str]:
        """Blank and comment lines before an entry."""
        lines = [" " * indent + said] if (said := self.comment(5)) else []
        return [*lines, ""] if self.chance(10) else lines

    def mapping(self, size: int, indent: int, depth: int) -> list[str]:
        lines: list[str] = []
        keys = self.draw(st.lists(st.sampled_from(KEYS), min_size=size, max_size=size, unique=True))
        if depth and self.chance(6) and (known := [name for name, is_mapping in self.anchors if is_mapping]):
            lines += [f"{' ' * indent}<<: *{self.draw(st.sampled_from(known))}{self.trailing()}"]
        for key in keys:
            head, body = self.value(indent, depth + 1)
            lines += self.between(indent) if lines else []
            lines += [f"{' ' * indent}{self.key(key)}:{' ' * bool(head)}{head}", *body]
        return lines

    def key(self, key: str) -> str:
        if key in ("10", "<<<") or self.chance(6):
            return json.dumps(key, ensure_ascii=False)
        return key

    def sequence(self, size: int, indent: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            lines += self.between(indent) if lines else []
            lines += self.item(indent, depth)
        return lines

    def item(self, indent: int, depth: int) -> list[str]:
        if depth < 4 and self.chance(3):
            inner = (self.mapping if self.chance(2) else self.sequence)(
                self.draw(st.integers(1, 3)), indent + 2, depth + 1
            )
            if inner[0].strip().startswith("#") or not inner[0].strip():
                inner = inner[1:]
            return [f"{' ' * indent}- {inner[0].strip()}", *inner[1:]]
        head, body = self.value(indent, depth + 1)
        return [f"{' ' * indent}-{' ' * bool(head)}{head}", *body]

    def value(self, indent: int, depth: int) -> tuple[str, list[str]]:
        """What follows a key or a dash, and the lines below."""
        if self.anchors and self.chance(7):
            return f"*{self.draw(st.sampled_from(self.anchors))[0]}{self.trailing()}", []
        kind = self.draw(st.integers(0, 9))
        is_block = depth < 4 and kind < 4
        is_mapping = kind in (0, 1, 4)
        name = f"n{len(self.anchors)}" if self.chance(5) else ""
        head, body = self.block(kind, indent, depth) if is_block else self.inline(kind, indent)
        if name:
            self.anchors.append((name, is_mapping))
            head = f"&{name} {head}".rstrip() if not head.startswith("  #") else f"&{name}{head}"
        return head, body

    def block(self, kind: int, indent: int, depth: int) -> tuple[str, list[str]]:
        step = self.draw(st.integers(1, 3))
        size = self.draw(st.integers(1, 3))
        before = [" " * (indent + step) + said] if (said := self.comment(8)) else []
        if kind < 2:
            return self.trailing(), [*before, *self.mapping(size, indent + step, depth)]
        return self.trailing(), [*before, *self.sequence(size, indent + step, depth)]

    def inline(self, kind: int, indent: int) -> tuple[str, list[str]]:
        if kind == 4:
            return self.flow(
                self.draw(st.dictionaries(st.sampled_from(KEYS), scalars, max_size=3))
            ) + self.trailing(), []
        if kind == 5:
            return self.flow(self.draw(st.lists(scalars, max_size=3))) + self.trailing(), []
        if kind == 6:
            text = self.draw(st.sampled_from(TEXTS))
            style = self.draw(st.sampled_from(["|", "|-", "|+", ">", ">-"]))
            return style + self.trailing(), [
                (" " * (indent + 2) + line).rstrip() for line in text.rstrip("\n").split("\n")
            ]
        value = self.draw(scalars)
        return ("" if value is None and self.chance(2) else self.flow(value)) + self.trailing(), []

    def flow(self, value: Any) -> str:
        if isinstance(value, dict):
            inner = ", ".join(f"{self.key(k)}: {self.flow(v)}" for k, v in value.items())
            return f"{{{inner}{',' * (bool(inner) and self.chance(6))}}}"
        if isinstance(value, list):
            return f"[{', '.join(self.flow(v) for v in value)}]"
        if isinstance(value, str) and "\n" not in value and "'" not in value and self.chance(2):
            return f"'{value}'"
        return json.dumps(value, ensure_ascii=False)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Texts that hold one mapping; some are not readable and are for the caller to pass over."""
    return Writer(draw).document()
