"""The tallies in a file of calls, and their sums."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from designsearch.runtime.models.books.call_file import file_problems, open_to_read, reading_rows
from designsearch.runtime.models.books.spending import Spending, Tally, total

SPENT = """
SELECT work, role, purpose, calls, usd, input_tokens, output_tokens FROM spending
UNION ALL SELECT work, role, purpose, 1, usd, input_tokens, output_tokens FROM open_calls
"""


def tallies_of(db: sqlite3.Connection) -> list[Tally]:
    """By work, role and purpose, in that order; a call in flight counts as spent at its most.

    Raises:
        ValueError: a row holds something else than numbers.
    """
    made: list[Tally] = []
    for work, role, purpose, *took in db.execute(SPENT):
        if not all(isinstance(number, int | float) for number in took):
            raise ValueError(f"what was spent is no number: {took}")
        made.append(Tally(role, purpose, work, spent=Spending(*took)))
    for work, role, purpose, outcome, replies, seconds in db.execute("SELECT * FROM outcomes"):
        failed = {} if outcome in {"ok", "cached"} else {outcome: replies}
        cached = replies if outcome == "cached" else 0
        made.append(Tally(role, purpose, work, replies, cached, failed, seconds=seconds))
    return summed(made)


def read_tallies(path: Path) -> list[Tally]:
    """The tallies in a file by work, role and purpose, also while another process writes it.

    Calls in flight count as spent at their most.

    Raises:
        CannotContinueError: the file is not there, damaged or of another version.
    """
    db = open_to_read(path)
    try:
        with file_problems(path), reading_rows(path):
            return tallies_of(db)
    finally:
        db.close()


def read_spending(path: Path) -> Spending:
    """All that a file's calls spent, also while another process writes it; see :func:`read_tallies`."""
    return total(read_tallies(path))


def summed(tallies: Iterable[Tally]) -> list[Tally]:
    """One tally for each work, role and purpose, in that order."""
    sums: dict[tuple[str, str, str], Tally] = {}
    for tally in tallies:
        key = tally.work, tally.role, tally.purpose
        sums[key] = _add(sums[key], tally) if key in sums else tally
    return [sums[key] for key in sorted(sums)]


def over_all_work(tallies: Iterable[Tally]) -> list[Tally]:
    """One tally for each role and purpose."""
    return summed(replace(tally, work="") for tally in tallies)


def _add(a: Tally, b: Tally) -> Tally:
    failed = {kind: a.failed.get(kind, 0) + b.failed.get(kind, 0) for kind in sorted({*a.failed, *b.failed})}
    return replace(
        a,
        replies=a.replies + b.replies,
        cached=a.cached + b.cached,
        failed=failed,
        spent=a.spent + b.spent,
        seconds=a.seconds + b.seconds,
    )
