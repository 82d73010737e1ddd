"""The loop: from a history to as many verified questions as are wanted, resumable after every item.

Each part takes its bundles by number, in rounds of :data:`ROUND`; what becomes of a bundle depends on the seed, the
part and its number, and which questions are taken on the order of these alone. So one worker and several, an
interrupted generation and one in one go give the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError
from designsearch.runtime.records import History
from designsearch.search.lock import Say, study_lock
from designsearch.search.supervision.cast import Cast
from designsearch.search.supervision.folder import SupervisionFolder
from designsearch.search.supervision.funnel import CHECKED, Funnel, counted
from designsearch.search.supervision.ingredients import Ingredients, ingredients
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import End, ItemLedger
from designsearch.search.supervision.origin import origin
from designsearch.search.supervision.outcome import Supervision, outcome_of
from designsearch.search.supervision.select import Selection, restored
from designsearch.search.supervision.settings import SupervisionSettings
from designsearch.search.supervision.shares import asked_of, counts_of
from designsearch.search.supervision.spread import month_of
from designsearch.search.supervision.workers import Batch, Workers

ROUND = 32
"""Bundles that a part takes before it is the next one's turn."""

FAILING = 32
"""Bundles in a row of which a role could make nothing, after which something is wrong with its model."""

SHARES: Mapping[str, float] = {"train": 0.5, "validation": 0.3, "locked": 0.2}

Progress = Callable[[Funnel], None]
"""Hears how far the questions are, after each batch."""


def _unheard(_: object) -> None:
    """Say nothing."""


def generate_questions(
    history: History,
    settings: SupervisionSettings,
    cast: Cast,
    folder: Path,
    *,
    shares: Mapping[str, float] = SHARES,
    official: Sequence[str] = (),
    progress: Progress = _unheard,
    say: Say = _unheard,
    jobs: int = 1,
) -> Supervision:
    """Make questions, or go on making them where this folder was left.

    Args:
        history: the records.
        settings: how many, and how.
        cast: who makes and checks them.
        folder: what is made goes there; made where there is none.
        shares: parts of the history with the share of the questions that each gets; no two share a record. One part
            alone takes the history whole.
        official: the words of official questions, of which none may be repeated; they serve nothing else.
        progress: hears how far it is.
        say: hears notes for people.
        jobs: processes, where rules play all roles.

    Returns:
        The questions by part, and why there are not more where there are fewer than asked for.

    Raises:
        UserError: fewer questions or records than parts, a role that the history has not, a folder of another origin.
        CannotContinueError: the folder is in use, damaged, or was begun with something else; a model cannot be asked.
        OutOfBudgetError: a cap was reached; what was made is kept and written.
    """
    wanted = counts_of(settings.count, shares)
    files = SupervisionFolder(folder)
    with study_lock(folder, say, "the folder"), threadpool_limits(limits=1):
        manifest = origin(history, settings, shares, cast, official)
        files.check(manifest)
        loop = _Loop(history, settings, cast, files, manifest, wanted, shares, official, progress, say, jobs)
        return loop.run()


@dataclass
class _Loop:
    """A generation at work."""

    history: History
    settings: SupervisionSettings
    cast: Cast
    files: SupervisionFolder
    manifest: Mapping[str, Any]
    wanted: Mapping[str, int]
    shares: Mapping[str, float]
    official: Sequence[str]
    progress: Progress
    say: Say
    jobs: int
    failing: int = field(default=0, init=False)

    def run(self) -> Supervision:
        """Do what is left, and write what there is."""
        self.ledger = ItemLedger(self.files.root, self.say)
        self.funnel = counted(Funnel(self.settings.count, _off(self.settings)), self.ledger.lines)
        if all(isinstance(self._end_of(part), End) for part in self.wanted):
            self.selection = restored(self._selection({}), self.ledger.lines)
            return self._outcome(())
        used = ingredients(self.history, self.settings, self.shares)
        self.files.begin(self.manifest)
        self.selection = restored(self._selection(used.months), self.ledger.lines)
        try:
            self._loop(used)
        except (OutOfBudgetError, CannotContinueError):
            self._outcome(used.notes)
            raise
        return self._outcome(used.notes)

    def _end_of(self, part: str) -> End | None:
        return next((one for one in self.ledger.lines if isinstance(one, End) and one.part == part), None)

    def _selection(self, months: Mapping[str, int]) -> Selection:
        month_of_record = {
            record: month
            for record, time in zip(self.history.ids, self.history.time_texts, strict=True)
            if (month := month_of(time))
        }
        return Selection(self.wanted, self.settings, month_of_record, months, self.official)

    def _loop(self, used: Ingredients) -> None:
        workers = Workers(self.cast, asked_of(self.history, self.settings.asked), self.files.root, self.jobs)
        self.progress(self.funnel)
        try:
            while batches := [
                (part, ordinals, used.materials.take(part, ordinals)) for part, ordinals in self._turns(workers.jobs)
            ]:
                work: list[Batch] = [(part, materials) for part, _, materials in batches]
                for (part, ordinals, materials), items in zip(batches, workers.items(work), strict=True):
                    self._enter(part, items, used_up=len(materials) < len(ordinals))
                    self.progress(self.funnel)
        finally:
            workers.close()

    def _turns(self, number: int) -> Iterator[tuple[str, range]]:
        """The next batches, in the order in which they are entered; none where every part has come to its end."""
        nexts = {part: place for part in self.wanted if (place := self.selection.next_of(part)) is not None}
        order = list(self.wanted)
        for _ in range(number if nexts else 0):
            part = min(nexts, key=lambda name: (nexts[name] // ROUND, order.index(name)))
            start = nexts[part]
            stop = (start // ROUND + 1) * ROUND
            if not self.cast.offline:  # what is not needed in the end is not paid for
                stop = min(stop, start + max(8, 2 * self.selection.lacking(part)))
            nexts[part] = stop
            yield part, range(start, stop)

    def _enter(self, part: str, items: Sequence[Item], *, used_up: bool) -> None:
        """Decide on a batch, as far as the part needs it, and keep what was decided."""
        lines: list[Item | End] = []
        for item in items:
            if self.selection.end(part) is not None:
                break
            decided = self._decided(item)
            self.selection.enter(decided)
            self.failing = self.failing + 1 if decided.lost is not None and decided.lost.failed else 0
            lines.append(decided)
            if (end := self.selection.over(part)) is not None:
                self.selection.close(end)
                lines.append(end)
        if used_up and self.selection.end(part) is None:
            end = self.selection.used_up(part)
            self.selection.close(end)
            lines.append(end)
        self.ledger.append(lines)
        counted(self.funnel, lines)
        if self.failing >= FAILING and (why := lines[-1]) and isinstance(why, Item) and why.lost is not None:
            raise CannotContinueError(
                f"of the last {self.failing} bundles a model could make nothing: {why.lost.detail or why.lost.reason}; "
                "see to it, then go on"
            )

    def _decided(self, item: Item) -> Item:
        if item.outcome != "kept" or item.question is None:
            return item
        return item.decided(self.selection.verdict(item.part, item.question))

    def _outcome(self, notes: Sequence[str]) -> Supervision:
        return outcome_of(
            self.history, self.files, self.selection, self.wanted, self.funnel, self.ledger, self.cast, notes
        )


def _off(settings: SupervisionSettings) -> tuple[str, ...]:
    """Stages of the verification that are switched off."""
    if not settings.verify:
        return CHECKED
    switches = {"necessity": settings.necessity, "uniqueness": settings.uniqueness}
    return tuple(stage for stage, on in switches.items() if not on)
