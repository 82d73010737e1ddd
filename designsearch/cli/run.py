"""Run a study: propose revisions, measure them, keep those that are better.

A study that was interrupted goes on where it stopped: what was scored is not scored again. It goes on only while its
histories, questions, base and settings are as they were; --fork NAME starts one of its own instead. Everything that it
writes lies in its run folder, runs/NAME beside the study file unless the study says otherwise.

Questions that the study wants generated (questions: {generate: {...}}) are made first, once, and kept in the run
folder; what that takes counts under the study's caps, and the claim says that they are not official.

Where the study names models, what each of them is asked and what it takes is shown; every reply is kept in the run
folder, so that nothing is paid for twice. --dry-run says what the budget buys, or how far a study has come and whether
anything would run, and sends nothing. --replay does a study again from its kept replies, at no cost, and says whether
it decides the same.

The status is 0 where the study is done, 3 where it stopped by time, money or calls, 4 where it could not go on.

Examples:
    designsearch run study.yaml --dry-run
    designsearch run study.yaml
    designsearch run study.yaml --fork second-try
    designsearch run study.yaml --replay
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from designsearch.cli.costs_table import costs_json, costs_table
from designsearch.cli.parser import Namespace, Parser
from designsearch.dsl.problems import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from designsearch.cli.output import Output
    from designsearch.search.events import Event, Listen
    from designsearch.search.outcome import Outcome
    from designsearch.search.study import Study
    from designsearch.search.study_file import StudyFile
    from designsearch.search.study_questions import Order
    from designsearch.search.study_setup import Prepared
    from designsearch.search.study_supply import Hearing
    from designsearch.search.supervision.generate import Progress

DIFFERS = 4
"""Exit status of a replay that did not do the same."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("study", metavar="STUDY", help="a study file")
    parser.add_argument("--dry-run", action="store_true", help="say what would run, and run nothing")
    parser.add_argument("--replay", action="store_true", help="do it again from its kept replies, and compare")
    parser.add_argument("--fork", metavar="NAME", help="run it as a study of its own, under another name")


def run(args: Namespace, out: Output) -> int:
    """Run it, say what would run, or do it again and compare."""
    from designsearch.search.at_work import at_work
    from designsearch.search.outcome import GO_ON
    from designsearch.search.run_folder import RunFolder
    from designsearch.search.study_file import read_study
    from designsearch.search.study_setup import forked
    from designsearch.search.supply_forecast import pending

    if args.dry_run and args.replay:
        raise UserError("run: --dry-run and --replay exclude each other")
    file = read_study(args.study)
    also_read = [RunFolder(file.run_folder).calls] if args.fork is not None else []
    if args.fork is not None:
        file = forked(file, args.fork)
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        _tell(event, out)

    if args.dry_run and (orders := pending(file)):
        return _dry_generation(file, orders, out)
    prepared = _prepare(file, listen, also_read, out, replay=args.replay)
    if args.dry_run:
        return _dry_run(prepared, out)
    if args.replay:
        return _replay(prepared, also_read, out)
    with at_work(prepared, listen, also_read) as study:
        try:
            outcome = study.go_on()
        except KeyboardInterrupt:
            out.note(f"all that was measured and paid for is kept, and {GO_ON}")
            raise
    out.document(_document(study, outcome, events))
    if outcome.costs:
        out.gap()
        out.table(costs_table(outcome.costs))
    return outcome.exit_code


def _prepare(file: StudyFile, listen: Listen, also_read: Sequence[Path], out: Output, *, replay: bool) -> Prepared:
    """Read all that a study needs, with the questions that are made from its histories."""
    from designsearch.inputs import registry
    from designsearch.search.model_doubts import doubts
    from designsearch.search.outcome import GO_ON
    from designsearch.search.study_questions import kept_questions
    from designsearch.search.study_setup import idle_roles, prepare
    from designsearch.search.study_supply import supplier

    with supplier(file, listen, also_read, _hearing(out)) as supply:
        try:
            prepared = prepare(file, registry(), kept_questions if replay else supply)
        except KeyboardInterrupt:
            out.note(f"all that was made and paid for is kept, and {GO_ON}")
            raise
    for note in prepared.data.notes:
        out.detail(note)
    for note in (*idle_roles(file), *doubts(file, prepared.registry)):
        out.note(note)
    return prepared


def _tell(event: Event, out: Output) -> None:
    """Notes go aside; the rest is the result, and is seen at once even where nobody looks at a terminal."""
    if event.kind == "note":
        out.note(event.text)
        return
    if event.kind == "models":
        for line in event.text.split("\n") if not out.quiet else ():
            out.line(line)
    elif event.kind == "start":
        head, *rest = event.text.split("\n")
        out.heading(head)
        for line in rest if not out.quiet else ():
            out.line(f"  {line}")
    else:
        for line in event.text.split("\n"):
            out.line(line)
    sys.stdout.flush()


def _hearing(out: Output) -> Hearing:
    """Shows what becomes of a history that questions are made from, and how far they are."""
    from designsearch.consent import note
    from designsearch.search.study_supply import Hearing

    def consent(order: Order, destinations: Sequence[str]) -> None:
        history = order.dataset.history()
        note(out, order.dataset.name, history.fingerprint, destinations, order.folder)

    def follow(order: Order) -> AbstractContextManager[Progress]:
        return out.counts(order.dataset.name, order.settings.count)

    return Hearing(consent, follow)


def _dry_generation(file: StudyFile, orders: Sequence[Order], out: Output) -> int:
    from designsearch.search.supply_forecast import plan

    lines, costs = plan(file, orders)
    out.heading(f"study {file.name}: its questions would be generated first")
    for line in lines:
        out.line(f"  {line}")
    out.document({"study": file.name, "plan": lines, "costs": costs})
    return 0


def _dry_run(prepared: Prepared, out: Output) -> int:
    from designsearch.search import announce
    from designsearch.search.contracts import PARTS
    from designsearch.search.forecast import forecast
    from designsearch.search.standing import standing

    now = standing(prepared)
    found = forecast(prepared) if now is None or not now.finished else None
    lines = now.lines() if now is not None else []
    if now is None or not now.end:
        lines += announce.plan(prepared.file, prepared.split, found.lines() if found is not None else announce.OFFLINE)
    would = {"new": "this would run", "begun": "this would go on", "finished": "it is finished, nothing would run"}
    state = now.state if now is not None else "new"
    out.heading(f"study {prepared.file.name}, base {prepared.base.hash}: {would[state]}")
    for line in lines:
        out.line(f"  {line}")
    sizes = {part: size for part in PARTS if (size := prepared.split.size(part))}
    costs = found.to_json() if found is not None else None
    about = {"study": prepared.file.name, "base": prepared.base.hash, "questions": sizes, "state": state}
    out.document({**about, "plan": lines, "costs": costs})
    return 0


def _replay(prepared: Prepared, also_read: list[Path], out: Output) -> int:
    from designsearch.search.replay import replay

    with out.progress("replaying") as tell:
        done = replay(prepared, lambda event: tell(event.text) if event.kind == "trial" else None, also_read)
    out.document(done.to_json())
    out.line(done.text)
    return 0 if done.same else DIFFERS


def _document(study: Study, outcome: Outcome, events: list[Event]) -> dict[str, Any]:
    from designsearch.search.plain import plain

    result: dict[str, Any] = plain(
        {
            "study": study.file.name,
            "objective": study.file.shape.objective,
            "run_folder": study.file.run_folder,
            **asdict(outcome),
            "costs": costs_json(outcome.costs),
            "notes": [event.text for event in events if event.kind == "note"],
        }
    )
    return result
