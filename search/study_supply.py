"""Generates the questions that a study wants made from its histories, once, on the study's books."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.search import announce
from designsearch.search.events import Event, Listen
from designsearch.search.lock import study_lock
from designsearch.search.outcome import GO_ON
from designsearch.search.purse import Purse, check_models, open_purse
from designsearch.search.run_folder import RunFolder
from designsearch.search.study_file import StudyFile
from designsearch.search.study_questions import Order, Parted, Supply, kept_questions
from designsearch.search.study_setup import generating_roles
from designsearch.search.supervision.generate import Progress, generate_questions
from designsearch.search.supervision.outcome import Supervision
from designsearch.search.supervision.roles import make_cast, work_of


def _unheard(_: object) -> None:
    """Say nothing."""


def _unseen(_: Order) -> AbstractContextManager[Progress]:
    return nullcontext(_unheard)


def _unnoted(_: Order, __: Sequence[str]) -> None:
    """Show no note."""


@dataclass(frozen=True)
class Hearing:
    """Who hears of a generation beside those who listen to the study.

    Attributes:
        consent: gets each history and who gets text of it, before anything is read for questions or sent.
        follow: opened while a history's questions are made; what it gives hears how far they are.
    """

    consent: Callable[[Order, Sequence[str]], None] = _unnoted
    follow: Callable[[Order], AbstractContextManager[Progress]] = _unseen


@contextmanager
def supplier(
    study: StudyFile, listen: Listen, also_read: Sequence[Path] = (), hearing: Hearing | None = None
) -> Iterator[Supply]:
    """Gives questions that were generated before, and generates those that were not, while the block runs.

    The study is held, and its models are opened, with the first question that is made; calls count under its caps.

    Args:
        study: the study.
        listen: gets what there is to say.
        also_read: files of calls of other studies, whose replies need not be paid for again.
        hearing: who else hears of it.

    Raises:
        CannotContinueError: the study is in use, or a model cannot be asked.
        OutOfBudgetError: a cap of the study was reached; what was made is kept.
    """
    with ExitStack() as stack:
        maker = _Maker(study, listen, also_read, hearing or Hearing(), stack)

        def supply(order: Order) -> Parted:
            if not order.finished():
                maker.make(order)
            return kept_questions(order)

        yield supply


@dataclass
class _Maker:
    """Makes the questions of one study."""

    study: StudyFile
    listen: Listen
    also_read: Sequence[Path]
    hearing: Hearing
    stack: ExitStack
    _purse: Purse | None = field(default=None, init=False)

    def make(self, order: Order) -> None:
        """Generate the questions of an order."""
        purse, history = self._open(), order.dataset.history()
        destinations = purse.team.destinations() if purse.team is not None else []
        self.hearing.consent(order, destinations)
        if destinations:
            self.listen(announce.models(destinations))
        cast = make_cast(history, order.settings, purse)
        purse.check()
        purse.begin(work_of(history))
        execution = self.study.shape.execution
        try:
            with self.hearing.follow(order) as progress:
                made = generate_questions(
                    history,
                    order.settings,
                    cast,
                    order.folder,
                    shares=order.shares,
                    official=[question.question for question in order.dataset.questions],
                    progress=progress,
                    say=self._say,
                    jobs=execution.jobs if execution.backend == "loky" else 1,
                )
        except OutOfBudgetError as error:
            raise OutOfBudgetError(f"{error}; the questions made so far are kept, and {GO_ON}") from error
        for line in _lines(order, made):
            self._say(line)

    def _open(self) -> Purse:
        """Hold the study and open its models, once."""
        if self._purse is None:
            budget, calls = self.study.shape.budget, RunFolder(self.study.run_folder).calls
            models, caps = generating_roles(self.study), Caps(budget.usd, budget.llm_calls)
            check_models(models, caps)
            self.stack.enter_context(study_lock(self.study.run_folder, self._say))
            read = [path for path in self.also_read if path.is_file()]
            self._purse = open_purse(models, lambda: CallStore(calls, read), caps, self._say)
            self.stack.callback(self._purse.close)
        return self._purse

    def _say(self, text: str) -> None:
        self.listen(Event("note", text))


def _lines(order: Order, made: Supervision) -> Iterator[str]:
    """What became of an order."""
    name = order.dataset.name
    parts = ", ".join(f"{part} {len(own)}" for part, own in made.parts.items()) if len(made.parts) > 1 else ""
    yield f"{name}: {len(made.questions)} questions generated{f' ({parts})' if parts else ''}; see {made.folder}"
    yield from (f"{name}: {note}" for note in made.report["notes"])
    yield from (f"{name}: fewer than asked for, {why}" for why in made.why)
