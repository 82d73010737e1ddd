"""How far a study has come, read from its run folder: what another run of it would do. Nothing is written or sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.dsl.validate import load_design
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import total
from designsearch.runtime.models.books.tallies import read_tallies
from designsearch.search.books import Books
from designsearch.search.kept_files import read_json
from designsearch.search.ledger import STOPPED, read_ledger
from designsearch.search.manifest import build_manifest, check_manifest
from designsearch.search.opening import read_books
from designsearch.search.outcome import EXHAUSTED, ended
from designsearch.search.purse import open_purse
from designsearch.search.run_folder import RunFolder, read_manifest
from designsearch.search.study_budget import Meter
from designsearch.search.study_file import StudyFile
from designsearch.search.study_setup import Prepared, roles_of


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a study stands that has begun.

    Attributes:
        scored, accepted: number of trials.
        left: trials that its budget still allows.
        base, best: validation scores.
        end: why another trial is not begun; empty where one would be.
        claim: whether only the claim on the locked questions is still to be made.
    """

    scored: int
    accepted: int
    left: int
    base: float
    best: float
    end: str
    claim: bool

    @property
    def finished(self) -> bool:
        """Whether another run would do nothing."""
        return bool(self.end) and not self.claim

    @property
    def state(self) -> str:
        """The same in a word."""
        return "finished" if self.finished else "begun"

    def lines(self) -> list[str]:
        """In words, one line each."""
        done = f"{self.scored} scored, {self.accepted} accepted; validation {self.base:.4f} -> {self.best:.4f}"
        if not self.end:
            return [f"{done}; {self.left} more may be scored"]
        return [
            f"{done}; {self.end}",
            *(["the claim on the locked questions is still to be made"] if self.claim else []),
        ]


def standing(prepared: Prepared) -> Standing | None:
    """Where a study stands; ``None`` where its base is not scored yet.

    Raises:
        CannotContinueError: it cannot go on, as something that its results depend on has changed, or files are damaged.
    """
    folder = RunFolder(prepared.file.run_folder)
    if read_manifest(folder) is not None:
        _check_same(prepared, folder)
    return standing_of(prepared.file, prepared.base, prepared.registry, prepared.split.size("locked"))


def standing_of(file: StudyFile, base: Design, registry: Registry, locked: int) -> Standing | None:
    """Where a study stands, by its run folder alone; ``None`` where its base is not scored yet.

    Args:
        file: the study file.
        base: the design that it starts from.
        registry: what designs may be made of.
        locked: number of questions that the claim is made on.

    Raises:
        CannotContinueError: files are damaged.
    """
    folder = RunFolder(file.run_folder)
    manifest = read_manifest(folder, "base", "storage")
    if manifest is None or folder.base.read_results() is None:
        return None
    attrs, entries = read_ledger(folder.storage(manifest["storage"]), manifest["study"])

    def load(text: str) -> Design:
        return load_design(text, base.file, registry, base.base_dir)

    books, _ = read_books(file, attrs, entries, folder, load, _meter(folder), locked)
    scored, end = books.account.spent.trials, _end(books, attrs.get(STOPPED, {}))
    return Standing(
        scored=scored,
        accepted=len(books.accepted),
        left=max(0, file.shape.budget.trials - scored),
        base=books.base.value,
        best=books.incumbent.value,
        end=end,
        claim=bool(end and locked and books.accepted) and not _claimed(books, folder),
    )


def _check_same(prepared: Prepared, folder: RunFolder) -> None:
    """Raise where what the study's results depend on has changed."""
    kept = [folder.calls] if folder.calls.is_file() else []
    purse = open_purse(roles_of(prepared.file), lambda: CallStore(None, kept, replay=True))
    try:
        study = prepared.study(purse=purse)
        check_manifest(folder, build_manifest(study.file, study.base, study.evaluator, study.registry))
    finally:
        purse.close()


def _meter(folder: RunFolder) -> Meter | None:
    if not folder.calls.is_file():
        return None
    spent = total(read_tallies(folder.calls))
    return lambda: spent


def _end(books: Books, stopped: Mapping[str, Any]) -> str:
    """Why no further trial would be begun; empty where one would be."""
    if end := ended(books):
        return end[1]
    # a proposer that had nothing left has nothing now, as nothing has been tried since
    same = stopped.get("reason") == EXHAUSTED and stopped.get("proposals") == books.ordinal
    return str(stopped.get("text", "")) if same else ""


def _claimed(books: Books, folder: RunFolder) -> bool:
    kept = read_json(folder.claim) or {}
    return (kept.get("base_hash"), kept.get("best_hash")) == (books.base.design.hash, books.incumbent.design.hash)
