"""Show the designs of a study that nothing else beats.

A design stands here when no other design that was scored is at least as good in all of quality, length of context,
calls to models and cost, and better in one. A shorter context or a quicker search may be worth more than the last bit
of quality.

The times of the study say more about what was in the cache by then than about a design, and are not compared. --time
times every design anew, each question alone, and compares that too; it needs the study's file, and a busy machine
makes it wrong. Designs that need a model to store or to search are not timed.

Examples:
    designsearch frontier berlin
    designsearch frontier study.yaml --all
    designsearch frontier study.yaml --time
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import Table, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.dsl.design import Design
    from designsearch.search.frontier import Point
    from designsearch.search.run_record import Tried


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("study", metavar="STUDY", help="a study file, a run folder, or a name under runs/")
    parser.add_argument("--all", action="store_true", help="every design that was scored, in order of quality")
    parser.add_argument("--time", action="store_true", help="time every design, and compare that too")


def run(args: Namespace, out: Output) -> int:
    """Find and show them."""
    from designsearch.search.frontier import frontier
    from designsearch.search.run_record import read_run
    from designsearch.search.study_refs import find_run

    record = read_run(find_run(args.study))
    everything = _timed(args.study, record.tried, out) if args.time else _points(record.tried)
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


def _points(tried: Sequence[Tried], timed: Callable[[Design], float | None] = lambda _: None) -> list[Point]:
    from designsearch.inputs import registry
    from designsearch.search.frontier import points

    return points(tried, registry(), timed)


def _timed(study: str, tried: Sequence[Tried], out: Output) -> list[Point]:
    from designsearch.timing import timer

    with timer(study, out.note) as take, out.progress("timing") as tell:

        def timed(design: Design) -> float | None:
            tell(design.hash)
            return take(design)

        return _points(tried, timed)


def _table(shown: Sequence[Point], kept: Sequence[Point], objective: str) -> Table:
    calls, costs, times = (any(map(attrgetter(name), shown)) for name in ("calls", "cost", "seconds"))
    rows = []
    for point in shown:
        one = point.tried
        cells = [
            _name(point),
            one.design_hash,
            figures.share(point.quality),
            figures.count(point.tokens),
        ]
        cells += [f"{point.calls:.4g}"] if calls else []
        cells += [f"${point.cost:.4f}"] if costs else []
        cells += [figures.NONE if point.seconds is None else figures.seconds(point.seconds)] if times else []
        why = "where the study began" if one.trial is None else one.proposal.rationale or one.proposal.proposer
        rows.append([*cells, "" if point in kept else "beaten", why])
    columns = [
        "",
        "design",
        f">{objective}",
        ">tokens",
        *([">calls"] if calls else []),
        *([">cost"] if costs else []),
        *([">time"] if times else []),
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
        "calls": point.calls,
        "cost": point.cost,
        "seconds_p50": point.seconds,
        "on_frontier": on_frontier,
        "rationale": one.proposal.rationale,
        "file": str(one.files.folder / "design.yaml"),
    }
