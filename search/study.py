"""The loop of a study: propose, evaluate, decide, enter into the ledger; at the end the claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError
from designsearch.dsl.validate import load_design
from designsearch.search import announce
from designsearch.search.books import Books
from designsearch.search.claim import Claim, make_claim
from designsearch.search.contracts import Evaluator, Failure
from designsearch.search.events import Event, Listen, silent
from designsearch.search.ledger import INTERRUPTED, QUESTIONS, STOPPED, Ledger
from designsearch.search.lock import study_lock
from designsearch.search.manifest import build_manifest, check_manifest, write_manifest
from designsearch.search.opening import check_ledger, open_books
from designsearch.search.outcome import (
    EXHAUSTED,
    EXIT_CODES,
    KEPT,
    NOTHING_MEASURED,
    QUOTA,
    RESUMABLE,
    Outcome,
    cap_of,
    ended,
)
from designsearch.search.proposers.base import Proposal, ProposalState, Proposer
from designsearch.search.purse import Purse
from designsearch.search.revisions import write_revision
from designsearch.search.run_folder import RunFolder
from designsearch.search.splits import Split
from designsearch.search.study_file import StudyFile
from designsearch.search.trial import Trials


@dataclass
class Study:
    """A study at work.

    Attributes:
        file: what is to be done.
        base: the design to start from; paths in it are seen from the folder that the base has in the run folder.
        evaluator: runs designs.
        split: which questions are in which share.
        registry: what designs may be made of.
        proposer: who proposes.
        listen: gets what there is to say.
        helper: whether a model plays the role helper, so that designs may use operators marked LM.
        purse: what models take.
        until: finished proposals after which it stops; ``None`` for no such limit.
    """

    file: StudyFile
    base: Design
    evaluator: Evaluator
    split: Split
    registry: Registry
    proposer: Proposer
    listen: Listen = silent
    helper: bool = False
    purse: Purse = field(default_factory=Purse)
    until: int | None = None

    def run(self) -> Outcome:
        """Hold the study and do what is left of it.

        Raises:
            CannotContinueError: it is in use, has changed, cannot be measured, or a model cannot be asked.
            OutOfBudgetError: a cap on models was reached before the base was scored.
        """
        with study_lock(self.file.run_folder, self._note):
            return self.go_on()

    def go_on(self) -> Outcome:
        """Do what is left of a study that this process holds; see :meth:`run`."""
        folder = RunFolder(self.file.run_folder)
        # one thread for linear algebra: sums in one order wherever the study runs, and small matrices do not wait for
        # threads that other work keeps busy (ten times slower on a busy machine)
        with threadpool_limits(limits=1):
            manifest = build_manifest(self.file, self.base, self.evaluator, self.registry)
            resumed = check_manifest(folder, manifest)
            ledger = Ledger(self.file.storage, self.file.name, self.file.shape.objective, self._note)
            check_ledger(ledger, folder, resumed=resumed)
            if not resumed:
                write_manifest(folder, manifest, self.file)
            origin = {"all": len(self.split.part_of), "generated": self.split.generated()}
            if ledger.attrs.get(QUESTIONS) != origin:
                ledger.note(QUESTIONS, origin)
            for number in ledger.interrupt_stale():
                self._note(f"trial {number:03d} was running when the study was interrupted; its proposal is taken up")
            if self.purse.team is not None and (to := self.purse.team.destinations()):
                self.listen(announce.models(to))
            books, pending = self._open(ledger, folder)
            self.listen(announce.start(self.file, self.split, books, manifest["sampler"], resumed=resumed))
            trials = self._trials(ledger, folder, books)
            try:
                reason, text = self._loop(trials, pending)
                return self._finish(trials, reason, text)
            except OutOfBudgetError as error:
                return self._finish(trials, cap_of(error), f"{error}; {KEPT}")
            except CannotContinueError as error:
                if self.until is not None:
                    raise
                raise CannotContinueError(f"{error} ({RESUMABLE})") from error

    def _trials(self, ledger: Ledger, folder: RunFolder, books: Books) -> Trials:
        return Trials(
            ledger=ledger,
            folder=folder,
            books=books,
            evaluator=self.evaluator,
            registry=self.registry,
            load=self._load,
            objective=self.file.shape.objective,
            rule=self.file.accept,
            seed=self.file.shape.seed,
            purse=self.purse,
            helper=self.helper,
        )

    def _open(self, ledger: Ledger, folder: RunFolder) -> tuple[Books, Proposal | None]:
        locked = self.split.size("locked")
        try:
            return open_books(self.file, self.base, self.evaluator, ledger, folder, self._load, self.purse, locked)
        except OutOfBudgetError as error:
            raise OutOfBudgetError(f"{error}; the base is not scored yet: run the study again to go on") from error

    def _note(self, text: str) -> None:
        self.listen(Event("note", text))

    def _load(self, text: str) -> Design:
        return load_design(text, self.base.file, self.registry, self.base.base_dir)

    def _loop(self, trials: Trials, pending: Proposal | None) -> tuple[str, str]:
        """Trials until something ends the study: its name and a sentence."""
        books = trials.books
        failures: Sequence[Failure] | None = None
        while (end := self._end(books)) is None:
            self.purse.check()
            self.purse.begin(f"trial {trials.ledger.next_number}")
            began = perf_counter()
            if pending is None:
                failures = self._diagnose(books) if failures is None else failures
                pending = self.proposer.propose(self._state(books, failures))
            if pending is None:
                return EXHAUSTED, f"{self.proposer.name} has nothing left to propose"
            before = books.incumbent.value
            attempt = trials.run(pending, began)
            pending = None
            if attempt.accepted:
                failures = None
                number = books.incumbent.revision
                write_revision(trials.folder, number, attempt, books.base, self.file.name, self._load)
            self.listen(announce.trial(attempt, before))
        return end

    def _diagnose(self, books: Books) -> Sequence[Failure]:
        """The incumbent's failures on the training questions; refreshed after an acceptance only."""
        kept = books.incumbent.files.read_diagnosis()
        if kept is None:
            kept = list(self.evaluator.diagnose(books.incumbent.design, "train"))
            books.incumbent.files.write_diagnosis(kept)
        return kept

    def _state(self, books: Books, failures: Sequence[Failure]) -> ProposalState:
        return ProposalState(
            text=books.incumbent.text,
            design=books.incumbent.design,
            score=books.incumbent.value,
            failures=failures,
            attempts=tuple(books.attempts),
            tried=frozenset(books.tried),
            registry=self.registry,
            seed=self.file.shape.seed,
            ordinal=books.ordinal,
            objective=self.file.shape.objective,
            context_budget=self.file.shape.context_budget,
            base_score=books.base.value,
            helper=self.helper,
        )

    def _finish(self, trials: Trials, reason: str, text: str) -> Outcome:
        books = trials.books
        interrupted = sum(entry.decision == INTERRUPTED for entry in trials.ledger.entries())
        trials.ledger.note(STOPPED, {"reason": reason, "text": text, "proposals": books.ordinal})
        self.listen(announce.stop(reason, text, books, interrupted))
        claim = self._claim(trials) if self.split.size("locked") and books.accepted and reason != QUOTA else None
        scored = books.account.spent.trials
        unmeasured = not scored and bool(books.attempts)
        return Outcome(
            reason=reason,
            text=text,
            scored=scored,
            accepted=len(books.accepted),
            interrupted=interrupted,
            base=books.base.value,
            best=books.incumbent.value,
            best_hash=books.incumbent.design.hash,
            claim=claim,
            exit_code=NOTHING_MEASURED if unmeasured else EXIT_CODES.get(reason, 0),
            costs=self.purse.costs(),
        )

    def _claim(self, trials: Trials) -> Claim | None:
        """Base and best on the locked questions; ``None`` where a cap was reached on the way."""
        self.purse.begin("claim")
        try:
            claim = make_claim(
                trials.folder,
                trials.books.base.design,
                trials.books.incumbent.design,
                self.evaluator,
                self.split,
                objective=trials.objective,
                seed=trials.seed,
            )
        except OutOfBudgetError as error:
            self._note(f"no claim yet: {error}")
            return None
        self.listen(announce.claim(claim))
        return claim

    def _end(self, books: Books) -> tuple[str, str] | None:
        """What forbids another trial; ``None`` where nothing does."""
        if self.until is not None:
            return ("replayed", f"all {self.until} proposals are replayed") if books.ordinal >= self.until else None
        return ended(books)
