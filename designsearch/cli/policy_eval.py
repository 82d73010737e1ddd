"""Measure a learned policy against all that it must beat, at equal tokens of notes and of what is shown, in the mean.

Beside the policy stand: its inner cascade taken once; the same with a cut-off of its own for each question; the
supervised selector on the same candidates; several queries fused by reciprocal rank, and the selector over what they
find; a policy that learnt nothing; the hand-written rules, which keep fewer tokens where they want fewer; and an
oracle that keeps nothing but the evidence that one search shows. How far the policy goes on keeping is set anew for
these questions so that its tokens are those of the others; evidence plays no part in that. What searches more often
than the policy is shown less by each search; a second line shows what it reaches with the window of the design. The
gain is over the inner cascade taken once, its interval (95 %) over histories.

Do not measure on questions that the weights were trained with.

Examples:
    designsearch policy eval design.yaml --history chats.jsonl --questions test.jsonl
    designsearch policy eval design.yaml --history data/set --tokens 1000
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from designsearch.cli.options import DESIGN, add_history, add_questions, add_set, note_tokens
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table

if TYPE_CHECKING:
    from designsearch.cli.output import Output


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("design", metavar="DESIGN", help=f"{DESIGN}; with op: policy, policy: learned")
    parser.add_argument(
        "--tokens", type=note_tokens, metavar="N", help="of notes a question in the mean (default: as trained)"
    )
    add_set(parser)
    add_history(parser, several=True)
    add_questions(parser, view=False)


def run(args: Namespace, out: Output) -> int:
    """Measure and show."""
    from designsearch.cli.eval import load_tasks
    from designsearch.inputs import open_design
    from designsearch.policies import compared
    from designsearch.runtime.cache import Cache, default_folder
    from designsearch.runtime.services import Services

    design = open_design(args.design, args.set)
    found = compared(design, load_tasks(args, out), Services(Cache(default_folder())), args.tokens)
    out.document({"rows": [row.to_json() for row in found]})
    rows = [
        (
            row.name,
            f"{row.recall:.4f}",
            f"{row.tokens:,.0f}",
            f"{row.observed:,.0f}",
            f"{row.searches:.1f}",
            f"{row.gain:+.4f}" + (f" ± {row.spread:.4f}" if row.spread is not None else ""),
        )
        for row in found
    ]
    out.table(table("what", "recall", "tokens", "observed", "searches", "gain", rows=rows))
    return 0
