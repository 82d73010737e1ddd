"""Remove records from a history with everything that was derived from them, and search the files for what is left.

The history loses the lines of the records, and references to them. Below each --in, lines of questions and results
that name a record or hold its text go; results that only showed it keep their figures and lose context and answer,
marked forgotten. A line that names no history counts as one about this history. In folders that the program writes (a
study, a set of generated questions) other files are blanked where they hold it, and all replies that models gave go,
as none tells what it was written from. The cache is emptied.

Then the bytes of every file below --in, of the history and of the cache are searched: for any 8 words of the text in a
row, however they are written, and for the id where it stands as an id. What another record says too, such as a passage
that a reply quotes, is that record's: it is told, and not counted as left. Nothing else is touched, and no link is
followed: backups, version control, free space on the disk and what was sent to a model are for you to see to. Only a
history of JSON lines is changed; run designsearch ingest first for other sources.

The status is 0 where nothing is left, 4 where something is, which is listed; --dry-run lists what would be done.

Examples:
    designsearch forget m17 --history chats.jsonl --in runs --in results.jsonl
    designsearch forget m17 m18 --history chats.jsonl --in . --dry-run
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from designsearch import figures
from designsearch.cli.parser import Namespace, Parser
from designsearch.cli.tables import table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.forgetting.forget import Entry, Forgotten

LEFT = 4
"""Exit status where something is left."""

_SHOWN = 10
_RUNS = Path("runs")
_LEDGER = "database.txt"
"""In the folder of a study whose ledger is no journal: where it is."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("records", nargs="+", metavar="RECORD", help="the id of a record")
    parser.add_argument("--history", required=True, metavar="FILE", help="a history of JSON lines")
    parser.add_argument(
        "--in",
        dest="folders",
        nargs="+",
        action="extend",
        default=[],
        metavar="DIR",
        help="folders and files that may hold what was derived from it: runs, questions, results; may be repeated",
    )
    parser.add_argument("--dry-run", action="store_true", help="list what would be done, and change nothing")


def run(args: Namespace, out: Output) -> int:
    """Forget, search, and tell."""
    from designsearch.forgetting.forget import forget
    from designsearch.runtime.cache import default_folder

    with out.progress("forgetting") as step:
        step(args.history)
        done = forget(
            args.records,
            Path(args.history),
            [Path(folder) for folder in args.folders],
            default_folder(),
            dry_run=args.dry_run,
        )
    out.document(done.document())
    _show(done, out)
    _warn(done, out)
    if _RUNS.is_dir() and not any(_touches(_RUNS.resolve(), Path(folder).resolve()) for folder in args.folders):
        out.warning(f"{_RUNS}/ was not looked at; add --in {_RUNS}")
    return LEFT if done.left and not args.dry_run else 0


def _touches(runs: Path, folder: Path) -> bool:
    """Whether a folder holds the runs, or a part of them."""
    return folder == runs or folder in runs.parents or runs in folder.parents


def _show(done: Forgotten, out: Output) -> None:
    verb = "would be removed" if done.dry_run else "removed"
    out.heading(f"{', '.join(done.records)}: {verb}")
    rows = _rows(done.removed)
    if done.cached:
        rows.append(("the cache", f"{figures.number_of(done.cached, 'file')} removed, made again when needed"))
    out.table(table("file", "what*", rows=rows))
    out.gap()
    files, size = done.searched
    head = f"searched {figures.number_of(files, 'file')}, {figures.size(size)}"
    if not done.left:
        what = "nothing else holds it" if done.dry_run else "nothing of it is left"
        out.line(f"{head}: {what}")
        return
    out.line(f"{head}: " + ("this would be left" if done.dry_run else "this is left, remove it by hand"))
    out.table(table("file", "what*", rows=_rows(done.left)))


def _rows(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    return [(str(one.file), one.what) for one in entries]


def _warn(done: Forgotten, out: Output) -> None:
    from designsearch.forgetting.forget import STUDY

    for name, others in done.also_said.items():
        shown = ", ".join(others[:_SHOWN]) + (", ..." if len(others) > _SHOWN else "")
        out.warning(
            f"{name}: a part of its text is also said by {figures.number_of(len(others), 'record')} that stays: {shown}"
        )
    for name in done.too_short:
        if name not in done.also_said:
            out.warning(f"{name}: its text is too short to be searched for; it was searched for by its id alone")
    for folder in done.stale:
        anew = "run it anew with --fork NAME" if (folder / STUDY).is_file() else "begin anew in another folder"
        out.warning(f"{folder}: its history has changed, so that it cannot go on; {anew}")
        if (folder / _LEDGER).is_file():
            out.warning(f"{folder}: its ledger is in a database, which was searched only where it lies below --in")
    if done.links:
        shown = ", ".join(map(str, done.links[:_SHOWN])) + (", ..." if len(done.links) > _SHOWN else "")
        out.note(f"not followed: {shown}")
