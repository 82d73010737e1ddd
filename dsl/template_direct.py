"""A short cut for the usual templates: words, attributes of variables, and the filters ``day`` and ``time``.

An item is rendered for every unit that a question finds; joining the parts here takes a fraction of the time that Jinja
needs. The text is the same, and whatever is out of the ordinary is left to Jinja, errors included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import nodes

from designsearch.dsl.sandbox import filter_day, filter_time

Part = Callable[[Mapping[str, Any]], str]
_FILTERS: dict[str, Callable[[Any], str]] = {"day": filter_day, "time": filter_time}


def direct(tree: nodes.Template) -> Part | None:
    """A function that renders the template from its variables; ``None`` where the template does more than that.

    The function raises ``LookupError`` or ``AttributeError`` for what is missing.
    """
    parts: list[Part] = []
    for statement in tree.body:
        if not isinstance(statement, nodes.Output):
            return None
        for node in statement.nodes:
            part = _part(node)
            if part is None:
                return None
            parts.append(part)
    return lambda variables: "".join([part(variables) for part in parts])


def _part(node: nodes.Expr) -> Part | None:
    if isinstance(node, nodes.TemplateData):
        words = node.data
        return lambda _: words
    if isinstance(node, nodes.Filter):
        if node.name not in _FILTERS or node.args or node.kwargs or node.dyn_args or node.dyn_kwargs:
            return None
        return _value(node.node, _FILTERS[node.name])
    return _value(node, str)


def _value(node: nodes.Expr | None, show: Callable[[Any], str]) -> Part | None:
    if isinstance(node, nodes.Name):
        name = node.name
        return lambda variables: show(variables[name])
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and not node.attr.startswith("_"):
        return _attribute(node.node.name, node.attr, show)
    return None


def _attribute(name: str, attribute: str, show: Callable[[Any], str]) -> Part:
    def part(variables: Mapping[str, Any]) -> str:
        value = getattr(variables[name], attribute)
        if not callable(value):
            return show(value)
        raise AttributeError(attribute)  # Jinja knows which methods are allowed

    return part
