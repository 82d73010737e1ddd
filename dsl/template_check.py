"""Mistakes of a template, found without rendering it: syntax, names that do not exist, and what the sandbox refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from jinja2 import meta, nodes

from designsearch.dsl.problems import nearest
from designsearch.dsl.sandbox import CUTTER, LONGEST_TEMPLATE, METHODS, make_environment
from designsearch.dsl.templates import TemplateError, compile_template, environment

Attributes = Mapping[str, Mapping[str, Any] | None]
"""What a variable holds: attribute name to what that holds in turn; ``None`` where anything may be in it."""

TEXT: dict[str, Attributes | None] = dict.fromkeys(METHODS)
MOMENT: dict[str, Attributes | None] = {}
QUESTION: Attributes = TEXT | {"as_of": MOMENT}
GROUP: Attributes = TEXT | {"time": MOMENT}
NOTE: Attributes = {"content": TEXT}

_CODE = re.compile(r"\{#.*?#\}|\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|(?P<code>\{\{.*?\}\}|\{%.*?%\})", re.DOTALL)
_NOT_CODE = re.compile(r"[^\n]")
_ALLOWED = (
    *(
        nodes.Template,
        nodes.Output,
        nodes.TemplateData,
        nodes.If,
        nodes.For,
        nodes.Assign,
        nodes.AssignBlock,
        nodes.With,
        nodes.Scope,
    ),
    *(nodes.FilterBlock, nodes.Expr, nodes.Helper),
)
_NAMES = {"ScopedEvalContextModifier": "autoescape", "CallBlock": "call", "FromImport": "from"}
"""Statements whose names are not those of their nodes."""

_BY_NAME = {"map": ("filter", 0), "select": ("test", 0), "reject": ("test", 0), "selectattr": ("test", 1)} | {
    "rejectattr": ("test", 1)
}
"""Filters that are given the name of a filter or of a test, and at which place."""

_NO_TEXTS = {"unit": "text", "note": "content"}
"""Variables that are no texts, and what of them is one."""

_FILES = ("include", "import", "from", "extends")
_STATEMENTS = "for, if, set, with, filter"


class _Anything(dict[str, Any]):
    """Knows every name, so that unknown filters and tests do not end the analysis."""

    def get(self, key: str, default: Any = None) -> Any:
        return str


_ANALYSIS = make_environment()
_ANALYSIS.filters = _Anything()
_ANALYSIS.tests = _Anything()


@dataclass(frozen=True, slots=True)
class TemplateMistake:
    """One mistake.

    Attributes:
        offset: index of the character in the template where it stands.
        fragment: the words at fault, as they stand there; empty where only the line is known.
        message: what is wrong.
        hint: what to do.
    """

    offset: int
    fragment: str
    message: str
    hint: str = ""


def unit_attributes(views: frozenset[str]) -> Attributes:
    """What ``unit`` holds in a store with these views."""
    fields: dict[str, Any] = dict.fromkeys(
        ("text", "author", "role", "session", "source", "section", "id", *sorted(views - {"raw"})), TEXT
    )
    return fields | {"time": MOMENT, "meta": None}


def check_template(text: str, variables: Attributes) -> list[TemplateMistake]:
    """All mistakes of a template that may use these variables."""
    if len(text) > LONGEST_TEMPLATE:
        return [TemplateMistake(0, "", f"the template has {len(text)} characters; {LONGEST_TEMPLATE} are the most")]
    try:
        mistakes = list(_Checker(text, _ANALYSIS.parse(text), variables).mistakes())
    except jinja2.TemplateSyntaxError as error:
        return [_syntax(error, text)]
    except RecursionError:
        return [TemplateMistake(0, "", "the template is nested too deeply", "make it simpler")]
    if not mistakes:
        try:
            compile_template(text)
        except TemplateError as error:
            mistakes.append(TemplateMistake(0, "", str(error)))
    return mistakes


def _syntax(error: jinja2.TemplateSyntaxError, text: str) -> TemplateMistake:
    line = _line_offset(text, error.lineno)
    code = re.compile(r"\{[{%#]").search(text, line)
    offset = code.start() if code and "\n" not in text[line : code.start()] else line
    message = str(error.message).rstrip(".")
    hint = ""
    if message.startswith("unexpected '}'"):
        message, hint = "the {{ is not closed by }}", "write }}"
    elif "unknown tag" in message:
        hint = f"the statements are {_STATEMENTS}"
    return TemplateMistake(offset, "", f"template: {message[:1].lower()}{message[1:]}", hint)


def _line_offset(text: str, line: int) -> int:
    offset = 0
    for _ in range(line - 1):
        offset = text.find("\n", offset) + 1
    return offset


class _Checker:
    def __init__(self, text: str, tree: nodes.Template, variables: Attributes) -> None:
        self.text = text
        self.tree = tree
        self.variables = variables
        # Same length as the text, with all but the code blanked out, so that words are looked for in code only.
        code = list(_NOT_CODE.sub(" ", text))
        for found in _CODE.finditer(text):
            if found["code"]:
                code[found.start() : found.end()] = found["code"]
        self.masked = "".join(code)
        self.undeclared = meta.find_undeclared_variables(tree) | {"self", "super", "caller", "varargs", "kwargs"}
        self.tested = set(_tested(tree))
        self.seen: set[int] = set()

    def mistakes(self) -> Iterator[TemplateMistake]:
        for node in _walk(self.tree):
            yield from self.node(node)

    def node(self, node: nodes.Node) -> Iterator[TemplateMistake]:
        if not isinstance(node, _ALLOWED):
            name = _NAMES.get(type(node).__name__, type(node).__name__.lower())
            hint = "a template cannot read files" if name in _FILES else f"the statements are {_STATEMENTS}"
            yield self.mistake(node, rf"\b{name}\b", name, f"{name} is not allowed in a template", hint)
        elif isinstance(node, nodes.For) and node.recursive:
            yield self.mistake(node, r"\brecursive\b", "recursive", "a loop cannot be recursive", "use a plain for")
        elif isinstance(node, nodes.Output):
            for child in node.nodes:
                if isinstance(child, nodes.Name) and child.name in _NO_TEXTS and self.holds((child.name,)) is not None:
                    message, hint = f"{child.name} is not a text", f"write {child.name}.{_NO_TEXTS[child.name]}"
                    yield self.mistake(child, rf"\b{child.name}\b(?!\s*[.\[])", child.name, message, hint)
        elif isinstance(node, nodes.Expr):
            yield from self.expression(node)

    def expression(self, node: nodes.Expr) -> Iterator[TemplateMistake]:
        if isinstance(node, nodes.Name) and node.ctx == "load":
            yield from self.name(node)
        elif isinstance(node, nodes.Getattr | nodes.Getitem):
            yield from self.attribute(node)
        elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            yield from self.method(node.node)
        elif isinstance(node, nodes.Mul | nodes.Mod) and (self.is_text(node.left) or self.is_text(node.right)):
            yield self.mistake(node, r"[*%](?![*%}])", node.operator, f"{node.operator} works on numbers only")
        elif isinstance(node, nodes.Filter):
            yield from self.filter(node)
        elif isinstance(node, nodes.Test) and node.name not in environment.tests:
            yield from self.lookup(node, r"\bis\s+(?:not\s+)?", node.name, "test", environment.tests)

    def name(self, node: nodes.Name) -> Iterator[TemplateMistake]:
        if node.name not in self.undeclared or node.name in self.variables or (node.name,) in self.tested:
            return
        available = f"available: {', '.join(self.variables)}"
        close = nearest(node.name, self.variables)
        message = f"unknown variable {node.name}; {available}"
        yield self.mistake(node, rf"(?<![\w.]){re.escape(node.name)}\b", node.name, message, close)

    def attribute(self, node: nodes.Getattr | nodes.Getitem) -> Iterator[TemplateMistake]:
        name = _attribute_name(node)
        if name is None:
            return
        pattern = rf"[.\[]\s*['\"]?{re.escape(name)}\b"
        if name.startswith("_"):
            message = f"{name} is out of bounds: a template cannot reach Python's internals"
            yield self.mistake(node, pattern, name, message)
            return
        chain = _chain(node.node)
        holds = self.holds(chain)
        if holds is None or name in holds or chain is None or (*chain, name) in self.tested:
            return
        public = [word for word in holds if word not in METHODS] or sorted(holds)
        owner = ".".join(chain)
        hint = nearest(name, public) or (
            f"it has {', '.join(public)}" if public else "use the filters day, time or ago"
        )
        yield self.mistake(node, pattern, name, f"{owner} has no {name}", hint)

    def method(self, called: nodes.Getattr) -> Iterator[TemplateMistake]:
        if called.attr in METHODS or called.attr.startswith("_") or self.holds(_chain(called.node)) is not None:
            return  # what is out of bounds or unknown is told where the attribute is looked at
        message = f"no method {called.attr} can be called; the methods are {', '.join(sorted(METHODS))}"
        yield self.mistake(
            called, rf"\.\s*{re.escape(called.attr)}\b", called.attr, message, nearest(called.attr, METHODS)
        )

    def filter(self, node: nodes.Filter) -> Iterator[TemplateMistake]:
        if node.name not in environment.filters:
            yield from self.lookup(node, r"\|\s*", node.name, "filter", environment.filters)
            return
        for word in _hidden_names(node):
            message = f"{word} is out of bounds: a template cannot reach Python's internals"
            yield self.mistake(node, re.escape(word), word, message)
        what, place = _BY_NAME.get(node.name, ("", 0))
        named = node.args[place] if len(node.args) > place else None
        known: Mapping[str, Any] = environment.filters if what == "filter" else environment.tests
        if what and isinstance(named, nodes.Const) and isinstance(named.value, str) and named.value not in known:
            yield from self.lookup(node, r"['\"]", named.value, what, known)
        if node.name == CUTTER and not _has_count(node):
            message = f"{CUTTER} wants one whole number of tokens"
            yield self.mistake(node, rf"\|\s*{CUTTER}\b", CUTTER, message, f"as in {CUTTER}(20)")

    def is_text(self, node: nodes.Expr) -> bool:
        """Whether an expression certainly is a text or a list."""
        if isinstance(node, nodes.Const):
            return isinstance(node.value, str | list | tuple)
        chain = _chain(node)
        return chain is not None and len(chain) > 1 and self.holds(chain) is TEXT

    def holds(self, chain: tuple[str, ...] | None) -> Mapping[str, Any] | None:
        if chain is None or chain[0] not in self.undeclared:
            return None
        holds: Mapping[str, Any] | None = self.variables
        for name in chain:
            holds = holds.get(name) if holds is not None else None
        return holds

    def lookup(
        self, node: nodes.Node, before: str, name: str, what: str, known: Mapping[str, Any]
    ) -> Iterator[TemplateMistake]:
        names = sorted(word for word in known if word.isidentifier())
        message = f"unknown {what} {name}; the {what}s are {', '.join(names)}"
        yield self.mistake(node, rf"{before}{re.escape(name)}\b", name, message, nearest(name, names))

    def mistake(self, node: nodes.Node, pattern: str, fragment: str, message: str, hint: str = "") -> TemplateMistake:
        start = _line_offset(self.text, node.lineno or 1)
        for found in re.compile(pattern).finditer(self.masked, start):
            offset = found.end() - len(fragment)
            if offset not in self.seen:
                self.seen.add(offset)
                return TemplateMistake(offset, fragment, message, hint)
        return TemplateMistake(start, "", message, hint)


def _has_count(node: nodes.Filter) -> bool:
    """Whether a filter is given one whole number, as far as what it is given is written out."""
    given = [*node.args, *(pair.value for pair in node.kwargs)]
    if node.dyn_args or node.dyn_kwargs or (len(given) == 1 and not isinstance(given[0], nodes.Const | nodes.Neg)):
        return True
    value = given[0].value if len(given) == 1 and isinstance(given[0], nodes.Const) else None
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _hidden_names(node: nodes.Filter) -> list[str]:
    """Names of Python's internals that a filter is given as the name of an attribute."""
    given = [*node.args, *(pair.value for pair in node.kwargs)]
    texts = [one.value for one in given if isinstance(one, nodes.Const) and isinstance(one.value, str)]
    return [word for text in texts for word in text.split(".") if word.startswith("__")]


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)


def _tested(tree: nodes.Template) -> Iterator[tuple[str, ...]]:
    """Names that the template itself expects to be missing: ``x is defined``, ``x | default(...)``."""
    for node in tree.find_all((nodes.Test, nodes.Filter)):
        if node.name in ("defined", "undefined", "default", "d") and isinstance(node.node, nodes.Expr):
            chain = _chain(node.node)
            if chain is not None:
                yield chain


def _chain(node: nodes.Node) -> tuple[str, ...] | None:
    """``unit.meta.title`` as names, where it is nothing but names."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr | nodes.Getitem):
        inner, name = _chain(node.node), _attribute_name(node)
        return (*inner, name) if inner is not None and name is not None else None
    return None


def _attribute_name(node: nodes.Getattr | nodes.Getitem) -> str | None:
    if isinstance(node, nodes.Getattr):
        return node.attr
    return node.arg.value if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str) else None
