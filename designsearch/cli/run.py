"""Run a study: propose revisions, measure them, keep those that are better.

A study that was interrupted goes on where it stopped: what was scored is not scored again. It goes on only while its
histories, questions, base and settings are as they were; --fork NAME starts one of its own instead. Everything that it
writes lies in its run folder, runs/NAME beside the study file unless the study says otherwise.

The status is 0 where the study is done, 3 where it stopped by time, money or calls, 4 where it could not go on.

Examples:
    designsearch run study.yaml --dry-run
    designsearch run study.yaml
    designsearch run study.yaml --fork second-try
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from designsearch.cli.parser import Namespace, Parser

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.search.events import Event
    from designsearch.search.study import Outcome, Study


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("study", metavar="STUDY", help="a study file")
    parser.add_argument("--dry-run", action="store_true", help="say what would run, and run nothing")
    parser.add_argument("--fork", metavar="NAME", help="run it as a study of its own, under another name")


def run(args: Namespace, out: Output) -> int:
    """Run it, or say what would run."""
    from designsearch.inputs import registry
    from designsearch.search.study_file import read_study
    from designsearch.search.study_setup import forked, open_study

    file = read_study(args.study)
    if args.fork is not None:
        file = forked(file, args.fork)
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        _tell(event, out)

    study, data = open_study(file, registry(), listen)
    for note in data.notes:
        out.detail(note)
    if args.dry_run:
        return _dry_run(study, out)
    outcome = study.run()
    out.document(_document(study, outcome, events))
    return outcome.exit_code


def _tell(event: Event, out: Output) -> None:
    """Notes go aside; the rest is the result, and is seen at once even where nobody looks at a terminal."""
    if event.kind == "note":
        out.note(event.text)
        return
    if event.kind == "start":
        head, *rest = event.text.split("\n")
        out.heading(head)
        for line in rest if not out.quiet else ():
            out.line(f"  {line}")
    else:
        for line in event.text.split("\n"):
            out.line(line)
    sys.stdout.flush()


def _dry_run(study: Study, out: Output) -> int:
    from designsearch.search import announce
    from designsearch.search.contracts import PARTS

    lines = announce.plan(study.file, study.split)
    out.heading(f"study {study.file.name}, base {study.base.hash}: this would run")
    for line in lines:
        out.line(f"  {line}")
    sizes = {part: size for part in PARTS if (size := study.split.size(part))}
    out.document({"study": study.file.name, "base": study.base.hash, "questions": sizes, "plan": lines})
    return 0


def _document(study: Study, outcome: Outcome, events: list[Event]) -> dict[str, Any]:
    from designsearch.search.plain import plain

    result: dict[str, Any] = plain(
        {
            "study": study.file.name,
            "objective": study.file.shape.objective,
            "run_folder": study.file.run_folder,
            **asdict(outcome),
            "notes": [event.text for event in events if event.kind == "note"],
        }
    )
    return result
