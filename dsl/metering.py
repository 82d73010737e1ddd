"""How much one rendering of a template may do: loop steps, and characters that its expressions read and make.

A design may come from a stranger or from a language model. Doubling a text a hundred times, or looping in a loop in a
loop, takes a few words and more memory or time than any machine has; each operation that could is counted before it
is carried out, and the count has an end that no honest template comes near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jinja2 import nodes, pass_context
from jinja2.environment import Environment
from jinja2.exceptions import SecurityError
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer

METER = "meter of this rendering"
"""Name of the meter among a template's variables; no template can write it."""

MOST_WORK = 20_000_000
STEP = 1_000
"""What a loop step costs, in characters."""

ITEM = 10
"""What an item of a collection costs, in characters."""

MOST_BITS = 1_024
"""Binary digits that a whole number may have."""


class Meter:
    """Counts what one rendering does."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_WORK

    def charge(self, work: int) -> None:
        """Count some work.

        Raises:
            SecurityError: that is more than a template may do.
        """
        self.left -= work
        if self.left < 0:
            raise SecurityError("the template does too much: it makes too long a text, or loops too often")


def charge(context: Context, work: int) -> None:
    """Count some work of the rendering that this context belongs to."""
    meter = context.get(METER)
    if isinstance(meter, Meter):
        meter.charge(work)


def size(value: Any, most: int = MOST_WORK + 1) -> int:
    """Characters of a text, and of everything in a collection as often as it is there; no more than about ``most``."""
    if isinstance(value, str):
        return len(value)
    found, waiting = 0, [value]
    while waiting and found < most:
        one = waiting.pop()
        found += ITEM
        if isinstance(one, str):
            found += len(one)
        elif isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple):
            if found + ITEM * len(one) > most:
                return most
            waiting += one
    return found


def checked_number(value: Any) -> Any:
    """The number, unless it is so large that reckoning with it takes long.

    Raises:
        SecurityError: it is.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise SecurityError("a number of the template becomes too large")
    return value


@pass_context
def counted(context: Context, items: Iterable[Any], weight: int) -> list[Any]:
    """What a loop goes through, each step paid for; ``weight`` is the length of the words that each step writes."""
    found = list(items)
    charge(context, len(found) * (STEP + weight))
    return found


@pass_context
def joined(context: Context, *parts: Any) -> str:
    """What ``~`` joins."""
    charge(context, sum(map(size, parts)))
    return "".join(map(str, parts))


@pass_context
def collected(context: Context, value: Any) -> Any:
    """A list, a tuple or a mapping that the template writes."""
    charge(context, size(value))
    return value


@pass_context
def written(context: Context, value: Any) -> Any:
    """What an expression puts into the text."""
    charge(context, size(value))
    return value


@pass_context
def joined_list(context: Context, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
    """The filter ``join``."""
    items = value if attribute is None else map(make_attrgetter(context.environment, attribute), value)
    texts = []
    for item in items:
        charge(context, size(item) + len(d))
        texts.append(str(item))
    return d.join(texts)


def charge_replacing(context: Context, text: str, arguments: tuple[Any, ...]) -> None:
    """Count what ``replace`` makes, before it makes it."""
    if len(arguments) > 1 and isinstance(arguments[0], str) and isinstance(arguments[1], str):
        charge(context, text.count(arguments[0]) * len(arguments[1]))


def metered_filter(name: str, inner: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that counts what it is given, and of ``replace`` what it makes."""
    wanted = getattr(inner, "jinja_pass_arg", None)

    @pass_context
    def run(context: Context, value: Any, *arguments: Any, **named: Any) -> Any:
        charge(context, size(value))
        if name == "replace":
            charge_replacing(context, str(value), (*arguments, *named.values()))
        first = {"context": context, "environment": context.environment, "eval_context": context.eval_ctx}
        before = () if wanted is None else (first[wanted.name],)
        return inner(*before, value, *arguments, **named)

    return run


class _Meters(NodeTransformer):
    """Puts the counting around the nodes that need it."""

    def visit(self, node: nodes.Node, *arguments: Any, **named: Any) -> nodes.Node:
        """The node with everything in it counted, and counted itself where it can grow."""
        self.generic_visit(node, *arguments, **named)
        if isinstance(node, nodes.For):
            weight = sum(len(data.data) for data in node.find_all(nodes.TemplateData))
            node.iter = _call("counted", node.iter, nodes.Const(weight, lineno=node.lineno))
        elif isinstance(node, nodes.Concat):
            return _call("joined", *node.nodes)
        elif isinstance(node, nodes.List | nodes.Tuple | nodes.Dict) and getattr(node, "ctx", "load") == "load":
            return _call("collected", node)
        return node


def _call(name: str, *arguments: nodes.Node) -> nodes.Call:
    """A call of the function that the environment has under that name."""
    line = arguments[0].lineno
    function = nodes.EnvironmentAttribute(name, lineno=line)
    return nodes.Call(function, list(arguments), [], None, None, lineno=line)


def metered(tree: nodes.Template, environment: Environment) -> nodes.Template:
    """The template with everything counted that could grow."""
    _Meters().visit(tree)
    tree.set_environment(environment)
    return tree
