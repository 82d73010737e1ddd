"""Hold a study while this process works on it: its lock, its models, and the file that keeps their calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.search.events import Event, Listen
from designsearch.search.lock import Say, study_lock
from designsearch.search.purse import Purse, check_models, open_purse
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

    check_models(roles_of(prepared.file), _caps(prepared.file))
    with study_lock(prepared.file.run_folder, say):
        purse = _purse(prepared.file, say, also_read)
        try:
            yield prepared.study(listen, purse)
        finally:
            purse.close()


def _purse(file: StudyFile, say: Say, also_read: Sequence[Path]) -> Purse:
    """The models of a study with its caps and its calls."""
    path = RunFolder(file.run_folder).calls
    read = [path for path in also_read if path.is_file()]
    return open_purse(roles_of(file), lambda: CallStore(path, read), _caps(file), say)


def _caps(file: StudyFile) -> Caps:
    return Caps(file.shape.budget.usd, file.shape.budget.llm_calls)
