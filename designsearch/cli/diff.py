"""Compare the meaning of two designs.

A and B are design files or designs of a study: STUDY@N (accepted revision N), STUDY@base, STUDY@best, where STUDY is
a study file, a run folder or a name under runs/. Comments, layout and key order are no change. The status is 0 where
the designs mean the same, 1 where they do not.

Examples:
    designsearch diff old.yaml new.yaml
    designsearch diff berlin@base berlin@best
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designsearch.cli.options import DESIGN, add_set
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import UserError

if TYPE_CHECKING:
    from designsearch.cli.output import Output

CHANGED = 1


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("designs", nargs="*", metavar="DESIGN", help=f"two designs, A and B: each {DESIGN}")
    add_set(parser)


def run(args: Namespace, out: Output) -> int:
    """Show the differences."""
    if len(args.designs) != 2:
        raise UserError(f"diff: name two designs, A and B, not {len(args.designs)}")
    from designsearch.dsl.diff import diff, render_diff
    from designsearch.inputs import open_design, open_designs

    if args.set:
        old, new = open_design(args.designs[0]), open_design(args.designs[1], args.set)
    else:
        old, new = open_designs(args.designs)
    changes = diff(old, new)
    out.document(
        {"changed": bool(changes), "old": old.hash, "new": new.hash, "changes": [c.to_json() for c in changes]}
    )
    out.line(render_diff(changes))
    return CHANGED if changes else 0
