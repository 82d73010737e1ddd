"""Pieces of Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from designsearch.dsl.operator_facts import Fact

HEAD = "<!-- made by `python -m designsearch.generate`; do not edit -->"


def page(title: str, *blocks: str) -> str:
    """A page."""
    return "\n\n".join([HEAD, f"# {title}", *(block for block in blocks if block)]) + "\n"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cell(one) for one in line)} |" for line in lines)


def cell(text: str) -> str:
    """Text that may stand in a table."""
    return " ".join(text.split()).replace("|", "\\|") or " "


def code(text: str) -> str:
    """Text in the font of code."""
    return f"`{text}`" if text else ""


def default(fact: Fact) -> str:
    """A parameter's default; of a whole part its own table tells."""
    if fact.required:
        return "required"
    return "see below" if isinstance(fact.value, dict) and fact.value else code(fact.default)


def prose(text: str) -> str:
    """A docstring as Markdown."""
    return text.replace("``", "`")
