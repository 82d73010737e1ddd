"""Show the designs of a study that nothing else beats.

A design stands here when no other design that was scored is at least as good in all of quality, length of context,
time and cost, and better in one. A shorter context or a quicker search may be worth more than the last bit of quality.

Examples:
    designsearch frontier berlin
    designsearch frontier study.yaml --all
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import Table, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.search.frontier import Point


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("study", metavar="STUDY", help="a study file, a run folder, or a name under runs/")
    parser.add_argument("--all", action="store_true", help="every design that was scored, in order of quality")


def run(args: Namespace, out: Output) -> int:
    """Find and show them."""
    from designsearch.search.frontier import frontier, points
    from designsearch.search.run_record import read_run
    from designsearch.search.study_refs import find_run

    record = read_run(find_run(args.study))
    everything = points(record.tried)
    kept = frontier(everything)
    shown = sorted(everything, key=lambda point: point.worse) if args.all else kept
    out.document(
        {
            "study": record.name,
            "objective": record.objective,
            "scored": len(everything),
            "designs": [_plain(point, point in kept) for point in shown],
        }
    )
    out.heading(f"{record.name}: nothing beats {len(kept)} of {figures.number_of(len(everything), 'design')}")
    out.gap()
    out.table(_table(shown, kept, record.objective))
    if not out.json:
        out.note(
            f"\nthe design of trial N is {shown[0].tried.files.folder.parent}/N/design.yaml, with N as 000, 001, ..."
        )
    return 0


def _table(shown: Sequence[Point], kept: Sequence[Point], objective: str) -> Table:
    costs = any(point.cost for point in shown)
    rows = []
    for point in shown:
        one = point.tried
        cells = [
            _name(point),
            one.design_hash,
            figures.share(point.quality),
            figures.count(point.tokens),
            figures.seconds(point.seconds),
        ]
        cells += [f"${point.cost:.4f}"] if costs else []
        why = "where the study began" if one.trial is None else one.proposal.rationale or one.proposal.proposer
        rows.append([*cells, "" if point in kept else "beaten", why])
    columns = [
        "",
        "design",
        f">{objective}",
        ">tokens",
        ">time",
        *([">cost"] if costs else []),
        "",
        "why it was tried*",
    ]
    if len(kept) == len(shown):
        place = columns.index("", 1)
        columns.pop(place)
        rows = [[cell for i, cell in enumerate(row) if i != place] for row in rows]
    return table(*columns, rows=rows)


def _name(point: Point) -> str:
    one = point.tried
    if one.trial is None:
        return "base"
    return f"trial {one.trial}" if one.revision is None else f"trial {one.trial}, revision {one.revision}"


def _plain(point: Point, on_frontier: bool) -> dict[str, object]:
    one = point.tried
    return {
        "trial": one.trial,
        "revision": one.revision,
        "design_hash": one.design_hash,
        "quality": point.quality,
        "context_tokens": point.tokens,
        "seconds_p50": point.seconds,
        "cost": point.cost,
        "on_frontier": on_frontier,
        "rationale": one.proposal.rationale,
        "file": str(one.files.folder / "design.yaml"),
    }
