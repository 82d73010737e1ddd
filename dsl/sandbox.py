"""The Jinja2 environment behind every template: a sandbox with a closed list of filters and methods.

It has no loader and no globals, and what could make endless texts is bounded (``dsl/metering.py``), because a design
may come from a stranger or from a language model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jinja2
from jinja2 import pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from designsearch.dsl import metering
from designsearch.dsl.moments import Moment, ago, clock, day
from designsearch.dsl.problems import UserError

CUTTER = "truncate_tokens"
"""Name under which ``render`` is given the function that cuts a text to a number of tokens."""

METHODS = frozenset(
    {"startswith", "endswith", "lower", "upper", "title", "capitalize", "strip", "lstrip", "rstrip", "removeprefix"}
    | {"removesuffix", "split", "rsplit", "splitlines", "partition", "replace", "find", "count", "isdigit"}
    | {"get", "keys", "values", "items", "cycle", "changed"}
)
"""The methods that a template may call."""

_FROM_JINJA = (
    *("abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "groupby", "int", "items", "join"),
    *("last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "round"),
    *("select", "selectattr", "sort", "string", "striptags", "sum", "title", "trim", "truncate", "unique", "upper"),
    "wordcount",
)
LONGEST_TEMPLATE = 20_000
"""Characters that a template may have."""

_LARGEST_BASE = 1_000_000
_LARGEST_POWER = 16


class TemplateError(UserError):
    """A template that cannot be compiled or rendered; the text says which part and why."""


class Environment(ImmutableSandboxedEnvironment):
    """The sandbox."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    counted = staticmethod(metering.counted)
    joined = staticmethod(metering.joined)
    collected = staticmethod(metering.collected)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Refuse private names and every method that is not on the list."""
        return super().is_safe_attribute(obj, attr, value) and (not callable(value) or attr in METHODS)

    def wrap_str_format(self, value: Any) -> None:
        """Leave ``str.format`` to the list of methods, which does not have it."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Numbers only, and small ones for powers: a text is neither repeated nor formatted, yet texts can be added."""
        if operator == "+" and not all(isinstance(side, int | float) for side in (left, right)):
            metering.charge(context, metering.size(left) + metering.size(right))
            return super().call_binop(context, operator, left, right)
        if not all(isinstance(side, int | float) for side in (left, right)):
            raise SecurityError(f"{operator} works on numbers only")
        if operator == "**" and (abs(left) > _LARGEST_BASE or abs(right) > _LARGEST_POWER):
            raise SecurityError(f"{left} ** {right} is too large")
        return metering.checked_number(super().call_binop(context, operator, left, right))

    def call(self, context: Context, function: Any, /, *arguments: Any, **named: Any) -> Any:
        """Call a method, counting the text that it works on and what ``replace`` makes."""
        owner = getattr(function, "__self__", None)
        if isinstance(owner, str):
            metering.charge(context, len(owner))
            if function.__name__ == "replace":
                metering.charge_replacing(context, owner, arguments)
        return super().call(context, function, *arguments, **named)


def make_environment() -> Environment:
    """The environment with its fixed settings, which ``dsl/templates.py`` documents."""
    made = Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
    made.globals.clear()
    made.finalize = metering.written
    ours = {"day": filter_day, "time": filter_time, "ago": _ago, CUTTER: _truncate_tokens}
    theirs = {name: metering.metered_filter(name, made.filters[name]) for name in _FROM_JINJA}
    made.filters = theirs | {"join": metering.joined_list} | ours
    return made


def filter_day(value: Any) -> str:
    """``2024-03-05``, with no more precision than the source has."""
    return day(_moment(value))


def filter_time(value: Any) -> str:
    """``09:30``, empty where the source gives no time of day."""
    return clock(_moment(value))


def _moment(value: Any) -> Moment:
    if isinstance(value, Moment):
        return value
    if value is None:
        return Moment(None)
    if isinstance(value, str | Undefined):
        return Moment(None, str(value))
    raise TemplateError(f"day, time and ago work on times, not on {type(value).__name__}")


@pass_context
def _ago(context: Context, value: Any, reference: Any = None) -> str:
    if reference is None:
        reference = getattr(context.get("question"), "as_of", None)
    return ago(_moment(value), _moment(reference))


@pass_context
def _truncate_tokens(context: Context, value: Any, count: int) -> str:
    cut: Callable[[str, int], str] | None = context.get(CUTTER)
    if cut is None:
        raise RuntimeError(f"render needs {CUTTER}=function(text, count) for a template that cuts texts")
    if not isinstance(count, int) or count < 0:
        raise TemplateError(f"truncate_tokens wants a whole number of tokens, not {count!r}")
    return cut(str(value), count)
