"""Hold a study while this process works on it: its lock, its models, and the file that keeps their calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.runtime.models.team import Team
from designsearch.search.events import Event, Listen
from designsearch.search.lock import Say, study_lock
from designsearch.search.purse import Purse
from designsearch.search.run_folder import RunFolder
from designsearch.search.study import Study
from designsearch.search.study_file import StudyFile
from designsearch.search.study_setup import Prepared, roles_of


@contextmanager
def at_work(prepared: Prepared, listen: Listen, also_read: Sequence[Path] = ()) -> Iterator[Study]:
    """A study that this process holds while the block runs; its models are opened, and nobody is asked yet.

    Args:
        prepared: the study as read.
        listen: gets what it has to say.
        also_read: files of calls of other studies, whose replies need not be paid for again.

    Raises:
        CannotContinueError: another process holds it, or its calls cannot be kept.
        UserError: a model cannot be used as it is named.
    """

    def say(text: str) -> None:
        listen(Event("note", text))

    with study_lock(prepared.file.run_folder, say):
        purse = open_purse(prepared.file, say, also_read)
        try:
            yield prepared.study(listen, purse)
        finally:
            purse.close()


def open_purse(file: StudyFile, say: Say, also_read: Sequence[Path] = ()) -> Purse:
    """The models of a study with its caps and its calls; an empty purse where rules play every role.

    Raises:
        CannotContinueError: the file of calls is damaged or cannot be written.
        UserError: a model cannot be used as it is named.
    """
    models = roles_of(file)
    if not models:
        return Purse()
    budget = file.shape.budget
    calls = CallStore(RunFolder(file.run_folder).calls, [path for path in also_read if path.is_file()])
    try:
        return Purse(Team.open(models, calls, Caps(budget.usd, budget.llm_calls), say), calls, say)
    except BaseException:
        calls.close()
        raise
