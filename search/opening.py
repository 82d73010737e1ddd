"""Open the books of a study: score the base once, enter what the ledger holds, complete the run folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.problems import CannotContinueError
from designsearch.search.books import Books, Incumbent
from designsearch.search.compare import MAX_UNMEASURED
from designsearch.search.contracts import Evaluator
from designsearch.search.decide import alpha_of
from designsearch.search.ledger import Entry, Ledger
from designsearch.search.measure import MOST_FAILED, measure, mostly_failed, score
from designsearch.search.outcome import RESUMABLE
from designsearch.search.proposers.base import Proposal
from designsearch.search.purse import Purse
from designsearch.search.revisions import write_revision
from designsearch.search.run_folder import RunFolder
from designsearch.search.spent import Spent
from designsearch.search.study_budget import Account, Meter, claim_costs
from designsearch.search.study_file import StudyFile

_NOTE = "base"
"""The study's attribute about the base."""


def check_ledger(ledger: Ledger, folder: RunFolder, *, resumed: bool) -> None:
    """Ledger and run folder belong together.

    Raises:
        CannotContinueError: one of them is gone.
    """
    entries = ledger.entries()
    if entries and not resumed:
        raise CannotContinueError(
            f"{folder.root}: the ledger holds {len(entries)} trials of this study, but the run folder has no manifest; "
            "restore it, or give the study another name"
        )
    if not entries and resumed and any((folder.root / "trials").glob("[0-9]*")):
        raise CannotContinueError(
            f"{folder.root}: there are trials, but the ledger holds none of them; restore it, or start a run of its "
            "own with --fork NAME"
        )


def open_books(
    study: StudyFile,
    base: Design,
    evaluator: Evaluator,
    ledger: Ledger,
    folder: RunFolder,
    load: Callable[[str], Design],
    purse: Purse,
    locked: int,
) -> tuple[Books, Proposal | None]:
    """Where a study stands.

    Args:
        study: what is to be done.
        base: the design that it starts from.
        evaluator: runs the base, unless that was done.
        ledger: the trials; none of them is running.
        folder: their files.
        load: reads a design.
        purse: what models take.
        locked: number of questions that the claim will be made on.

    Returns:
        The books, and the proposal that was in work when the study was interrupted, where there is one.

    Raises:
        CannotContinueError: the base cannot be measured, or files are missing.
        OutOfBudgetError: a cap on models was reached before the base was scored.
    """
    if folder.base.read_results() is None:
        purse.check()
        purse.begin("base")
        _score_base(base, evaluator, study.shape.objective, ledger, folder, purse, alpha_of(study.accept))
    meter = (lambda: purse.spent) if purse.team is not None else None
    books, pending = read_books(study, ledger.attrs, ledger.entries(), folder, load, meter, locked)
    write_revision(folder, 0, None, books.base, study.name, load)
    for revision, attempt in enumerate(books.accepted, start=1):
        write_revision(folder, revision, attempt, books.base, study.name, load)
    return books, pending


def read_books(
    study: StudyFile,
    attrs: Mapping[str, Any],
    entries: Sequence[Entry],
    folder: RunFolder,
    load: Callable[[str], Design],
    meter: Meter | None,
    locked: int,
) -> tuple[Books, Proposal | None]:
    """Where a study stands whose base is scored; nothing is written.

    Args:
        study: what is to be done.
        attrs: as its ledger has them.
        entries: the trials in order.
        folder: their files.
        load: reads a design.
        meter: what models have taken; ``None`` where the study asks none.
        locked: number of questions that the claim will be made on.

    Returns:
        The books, and the proposal that was in work when the study was interrupted, where there is one.

    Raises:
        CannotContinueError: files are missing or damaged.
    """
    first = _base(study.shape.objective, folder, load)
    noted = attrs.get(_NOTE, {})
    account = Account(study.shape.budget)
    account.spent = Spent(0, noted.get("seconds", 0.0), noted.get("calls", 0), noted.get("cost", 0.0))
    calls, usd = noted.get("asked", account.spent.calls), noted.get("asked_cost", account.spent.usd)
    validation = len({result.key for result in first.results})
    account.claim = claim_costs(calls, usd, validation=validation, locked=locked)
    account.meter = meter
    account.read_meter()
    books = Books(first, first, account, tried={first.design.hash})
    return books, books.replay(entries, folder, load)


def _score_base(
    base: Design,
    evaluator: Evaluator,
    objective: str,
    ledger: Ledger,
    folder: RunFolder,
    purse: Purse,
    alpha: float | None,
) -> None:
    try:
        measured = measure(evaluator, base, "validation", objective)
    except CannotContinueError as error:
        if purse.calls is None or purse.calls.replay:
            raise
        raise CannotContinueError(f"{error} ({RESUMABLE})") from error
    if measured.value is None:
        if measured.bug is not None:
            raise measured.bug
        raise CannotContinueError(f"the base cannot be measured: {measured.cause}")
    if failed := mostly_failed(measured.results, objective, MOST_FAILED if alpha is None else MAX_UNMEASURED):
        raise CannotContinueError(f"the base cannot be measured: {failed} ({RESUMABLE})")
    folder.base.write_proposal(Proposal(base.text, proposer="base"), {"design_hash": base.hash})
    work = purse.taken_by(0, measured.spent.seconds, measured.spent)
    ledger.note(
        _NOTE,
        {
            "design_hash": base.hash,
            "value": measured.value,
            "seconds": round(work.seconds, 3),
            "calls": work.calls,
            "cost": work.usd,
            # what answering took when it was asked first, by which the claim is reckoned
            "asked": max(work.calls, measured.spent.calls),
            "asked_cost": max(work.usd, measured.spent.usd),
        },
    )
    folder.base.write_results(measured.results)  # last: with it the base counts as scored


def _base(objective: str, folder: RunFolder, load: Callable[[str], Design]) -> Incumbent:
    proposal, results = folder.base.read_proposal(), folder.base.read_results()
    value = score(results, objective) if results is not None else None
    if proposal is None or results is None or value is None:
        raise CannotContinueError(f"{folder.base.folder}: files of the base are missing or damaged; restore them")
    return Incumbent(0, proposal.text, load(proposal.text), value, results, folder.base)
