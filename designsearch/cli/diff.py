"""Compare the meaning of two designs.

A and B are design files or designs of a study: STUDY@N (accepted revision N), STUDY@base, STUDY@best, where STUDY is
a study file, a run folder or a name under runs/. Comments, layout and key order are no change. Long values are cut
short; -v shows them whole. The status is 0 where the designs mean the same, 1 where they do not.

With --trajectory, one study is named instead: each accepted revision in order, with its reason, what it gained and
lost, and what it changed. The status is then 0.

Examples:
    designsearch diff old.yaml new.yaml
    designsearch diff berlin@base berlin@best
    designsearch diff --trajectory berlin
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
    parser.add_argument("--trajectory", metavar="STUDY", help="show the accepted revisions of a study instead")
    add_set(parser)


def run(args: Namespace, out: Output) -> int:
    """Show the differences."""
    if args.trajectory is not None:
        if args.designs:
            raise UserError("diff: --trajectory compares the revisions of one study; name no designs beside it")
        from designsearch.cli.trajectory import show_trajectory

        show_trajectory(args.trajectory, out)
        return 0
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
    out.line(render_diff(changes, whole=out.verbose))
    return CHANGED if changes else 0
