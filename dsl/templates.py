"""Templates of a design: compiled once, rendered exactly once, and where a variable is missing an error.

Settings are fixed, so that a template gives the same text everywhere: ``trim_blocks`` and ``lstrip_blocks`` are on (a
line with nothing but a ``{% %}`` tag leaves nothing behind), a trailing newline is kept, nothing is escaped, and a line
ends with one newline character. What a value holds is never read as a template.

Variables: ``unit`` (text, time, author, role, session, source, section, id, meta, and its views by name), ``question``
(its text; ``question.as_of`` is the time of asking), ``group`` (its name; ``group.time``) and ``note``, where a memory
policy noted the unit (``note.content`` is what a model wrote of it, else empty; ``unit.text`` is what the note cites).

Filters beside some of Jinja2's own:

- ``day``: ``2024-03-05``, with no more precision than the source has;
- ``time``: ``09:30``, empty where the source gives no time of day;
- ``ago``: ``3 weeks ago``, counted from the argument, else from ``question.as_of``; where neither is known the date;
- ``truncate_tokens(n)``: the first n tokens of a text, by the study's counter.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jinja2
from jinja2 import meta, nodes

from designsearch.dsl.metering import METER, Meter, metered
from designsearch.dsl.moments import Moment
from designsearch.dsl.sandbox import CUTTER, LONGEST_TEMPLATE, TemplateError, make_environment
from designsearch.dsl.template_direct import direct

__all__ = ["CUTTER", "Moment", "Template", "TemplateError", "compile_template", "environment", "render"]

environment = make_environment()
"""Where every template of a design is compiled."""


class Template:
    """A compiled template.

    Attributes:
        source: its text.
        variables: the names it needs, so that a caller knows what its text depends on; ``ago`` without an argument
            depends on ``question``.
    """

    __slots__ = ("_compiled", "_direct", "source", "variables")

    def __init__(self, source: str) -> None:
        if len(source) > LONGEST_TEMPLATE:
            raise TemplateError(f"the template has {len(source)} characters; {LONGEST_TEMPLATE} are the most")
        try:
            tree = environment.parse(source)
            self.variables = _variables(tree)
            self._direct = direct(tree)
            self._compiled = environment.from_string(metered(tree, environment))
        except jinja2.TemplateSyntaxError as error:
            raise TemplateError(f"template line {error.lineno}: {error.message}") from None
        except (RecursionError, SyntaxError):
            raise TemplateError("the template is nested too deeply") from None
        self.source = source

    def render(self, **variables: Any) -> str:
        """The text for these variables.

        Args:
            **variables: the values; ``truncate_tokens`` is the function behind the filter of that name.

        Raises:
            TemplateError: a variable or an attribute does not exist, or the sandbox refuses something.
        """
        if self._direct is not None:
            try:
                return self._direct(variables)
            except (LookupError, AttributeError):
                pass  # Jinja says what is missing
        try:
            return self._compiled.render({**variables, METER: Meter()})
        except RecursionError:
            raise TemplateError(f"template {_shown(self.source)}: it calls itself without end") from None
        except jinja2.TemplateError as error:
            raise TemplateError(f"template {_shown(self.source)}: {error.message}") from None
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise TemplateError(f"template {_shown(self.source)}: {error}") from None


def _variables(tree: nodes.Template) -> frozenset[str]:
    implied = any(found.name == "ago" and not found.args for found in tree.find_all(nodes.Filter))
    return frozenset(meta.find_undeclared_variables(tree) | ({"question"} if implied else set()))


def _shown(source: str) -> str:
    line = " ".join(source.split())
    return line if len(line) <= 80 else line[:77] + "..."


@lru_cache(maxsize=1024)
def compile_template(source: str) -> Template:
    """Compile a template, once.

    Raises:
        TemplateError: it is not a template.
    """
    return Template(source)


def render(template: Template, variables: Mapping[str, Any]) -> str:
    """The text of a template for these variables; see ``Template.render``."""
    return template.render(**variables)
