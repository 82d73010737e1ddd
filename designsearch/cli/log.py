"""Show the trials of a study, each with what was decided and why.

Trials that were not scored stand here too, with their cause. designsearch diff --trajectory shows what the accepted
revisions changed; --costs shows what models took, also while the study runs.

Examples:
    designsearch log study.yaml
    designsearch log berlin --accepted
    designsearch log berlin --costs
    designsearch log berlin --json
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.costs_table import costs_json, costs_table
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import Table, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.search.run_folder import RunFolder
    from designsearch.search.trial_log import Log, Row


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("study", metavar="STUDY", help="a study file, a run folder, or a name under runs/")
    parser.add_argument("--accepted", action="store_true", help="only the revisions that were accepted")
    parser.add_argument("--costs", action="store_true", help="what models took, role by role")


def run(args: Namespace, out: Output) -> int:
    """Read and show it."""
    from designsearch.search.plain import plain
    from designsearch.search.splits import generated_line
    from designsearch.search.study_refs import find_run
    from designsearch.search.trial_log import read_log

    run = find_run(args.study)
    if args.costs:
        return _costs(run, out)
    log = read_log(run)
    rows = [row for row in log.rows if row.revision is not None or not args.accepted]
    out.document(plain(asdict(log) | {"rows": [asdict(row) for row in rows], "best": log.best}))
    out.heading(f"{log.study}: {log.objective} {figures.share(log.base)} -> {figures.share(log.best)}")
    if origin := generated_line(log.generated, log.questions):
        out.line(origin)
    out.gap()
    out.table(_table(log, rows))
    out.gap()
    out.line(_totals(log))
    if log.claim is not None:
        from designsearch.search import announce
        from designsearch.search.claim import Claim

        for line in announce.claim(Claim.from_json(log.claim)).text.split("\n"):
            out.line(line)
    return 0


def _costs(run: RunFolder, out: Output) -> int:
    from designsearch.runtime.models.books.tallies import read_tallies
    from designsearch.search.costs import by_role

    tallies = read_tallies(run.calls) if run.calls.is_file() else []
    works = dict.fromkeys(tally.work for tally in tallies)
    out.document(
        {
            "study": run.root.name,
            "costs": costs_json(by_role(tallies)),
            "by_work": {work: costs_json(by_role(t for t in tallies if t.work == work)) for work in works},
        }
    )
    if tallies:
        out.table(costs_table(by_role(tallies)))
    else:
        out.line(f"{run.root.name}: no model was asked")
    return 0


def _table(log: Log, rows: list[Row]) -> Table:
    shown = [["base", "0", "", figures.share(log.base), *[""] * 6, log.base_hash, "where the study began"]]
    shown += [_cells(row) for row in rows]
    columns = (
        "trial",
        ">rev",
        "decision",
        ">score",
        ">gain",
        ">+",
        ">-",
        ">p",
        ">answers",
        ">tokens",
        "design",
        "why*",
    )
    return table(*columns, rows=shown)


def _cells(row: Row) -> list[str]:
    why = row.rationale if row.value is not None or not row.reason else row.reason.split("\n")[0]
    return [
        f"{row.trial:03d}",
        "" if row.revision is None else str(row.revision),
        row.decision.replace("_", " "),
        figures.share(row.value),
        figures.gain(row.gain),
        figures.NONE if row.gains is None else str(row.gains),
        figures.NONE if row.losses is None else str(row.losses),
        figures.NONE if row.p is None else figures.p_value(row.p),
        figures.share(row.answer_recall),
        figures.count(row.tokens),
        row.design_hash,
        f"{row.proposer}: {why}" if row.proposer else why,
    ]


def _totals(log: Log) -> str:
    scored = log.count("accepted", "rejected", "indecisive")
    interrupted, running = log.count("interrupted"), log.count("running")
    unscored = len(log.rows) - scored - interrupted - running
    said = [f"{scored} scored", f"{log.count('accepted')} accepted", f"{unscored} not scored"]
    said.append(f"{interrupted} interrupted")
    return ", ".join([*said, f"{running} running"] if running else said)
