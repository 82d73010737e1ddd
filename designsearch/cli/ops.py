"""List what designs are made of: operators by stage, features of the score stage, and their parameters.

Examples:
    designsearch ops
    designsearch ops bm25
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table
from designsearch.dsl.problems import UserError, nearest

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.dsl.operators import Operator, Registry

MARK = " *"
"""Behind the name of an operator that needs a model."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="an operator or feature, to see its parameters")


def run(args: Namespace, out: Output) -> int:
    """List all operators, or explain those of one name."""
    from designsearch.runtime.operators import load_all

    registry = load_all()
    found = [op for op in registry if args.name in (None, op.name)]
    if not found:
        raise _unknown(args.name, registry)
    out.document([described(op) for op in found])
    if args.name is None:
        _list(registry, out)
    else:
        for number, op in enumerate(found):
            if number:
                out.gap()
            _explain(op, out)
    return 0


def _list(registry: Registry, out: Output) -> None:
    from designsearch.dsl.operator_facts import in_order, plain

    for number, (title, operators) in enumerate(in_order(registry)):
        if number:
            out.gap()
        out.heading(title)
        rows = [(op.name + MARK * (not op.works_alone), one_parameter_list(op), plain(op.summary)) for op in operators]
        out.table(table("operator", "parameters*", "what it does*", rows=rows))
    out.gap()
    out.line(f"{MARK.strip()} needs a model for the role helper")
    out.note("\ndesignsearch ops NAME explains one of them")


def _explain(op: Operator, out: Output) -> None:
    from designsearch.dsl.operator_facts import PLACES, parameters, plain

    out.heading(f"{op.name} ({PLACES[op.stage]})")
    out.line(plain(op.doc))
    if op.needs_model:
        out.gap()
        out.line(f"Needs a model for the role helper{' with some of its settings' if op.works_alone else ''}.")
    facts = parameters(op)
    if facts:
        out.gap()
        rows = [(f.name, f.type, f.default, f.tuned, f.about) for f in facts]
        out.table(table("parameter", "type*", "default", "a search tries", "what it is*", rows=rows))


def one_parameter_list(op: Operator) -> str:
    """The names of an operator's parameters."""
    return ", ".join(op.params.model_fields) or "-"


def described(op: Operator) -> dict[str, Any]:
    """An operator as plain JSON."""
    from designsearch.dsl.operator_facts import parameters

    facts: Iterable[Any] = parameters(op)
    return {
        "name": op.name,
        "stage": op.stage,
        "slot": op.slot,
        "summary": op.summary,
        "doc": op.doc,
        "needs_model": op.needs_model,
        "parameters": [
            {
                "name": f.name,
                "type": f.type,
                "default": f.value,
                "required": f.required,
                "about": f.about,
                "tune": f.tune,
            }
            for f in facts
        ],
    }


def _unknown(name: str, registry: Registry) -> UserError:
    names = sorted({op.name for op in registry})
    return UserError(f"there is no operator {name!r} ({nearest(name, names) or 'designsearch ops lists them all'})")
