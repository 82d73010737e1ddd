"""Where a study stands: rebuilt from the ledger and the run folder when it starts, then kept trial by trial.

The same two methods fill the books of a study that was interrupted and of one that was not, so that both go on alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from designsearch.dsl.design import Design
from designsearch.dsl.problems import CannotContinueError, InvalidFileError
from designsearch.search.kept_files import damaged
from designsearch.search.ledger import INTERRUPTED, Entry
from designsearch.search.proposers.base import Attempt, Proposal
from designsearch.search.results import QuestionResult
from designsearch.search.run_folder import DESIGN_FILE, RunFolder, TrialFiles
from designsearch.search.spent import Spent
from designsearch.search.study_budget import Account

SCORED = ("accepted", "rejected", "indecisive")
"""Decisions of proposals that were scored."""


@dataclass(frozen=True)
class Incumbent:
    """The design to beat.

    Attributes:
        revision: 0 for the base, else how many revisions were accepted up to it.
        text: its YAML.
        design: the design.
        value: its validation score.
        results: its validation results.
        files: its folder.
    """

    revision: int
    text: str
    design: Design
    value: float
    results: Sequence[QuestionResult] = field(repr=False)
    files: TrialFiles


@dataclass
class Books:
    """The standing of a study.

    Attributes:
        base: the design that it began with.
        incumbent: the design to beat now.
        account: what was spent.
        attempts: all finished proposals in order.
        accepted: those that were accepted.
        tried: identities of designs that were scored, or failed to be.
        confirmations: how often the reserved slice was looked at.
        barren: proposals in a row that could not be scored.
    """

    base: Incumbent
    incumbent: Incumbent
    account: Account
    attempts: list[Attempt] = field(default_factory=list)
    accepted: list[Attempt] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    confirmations: int = 0
    barren: int = 0

    @property
    def ordinal(self) -> int:
        """Number of finished proposals."""
        return len(self.attempts)

    def enter(self, attempt: Attempt, work: Spent, *, confirmed: bool = False) -> None:
        """Enter a finished proposal."""
        self.attempts.append(attempt)
        if attempt.design_hash:
            self.tried.add(attempt.design_hash)
        scored = attempt.decision in SCORED
        self.barren = 0 if scored else self.barren + 1
        self.confirmations += confirmed
        self.account.add(work)
        if attempt.accepted:
            self.accepted.append(attempt)

    def replay(self, entries: Sequence[Entry], folder: RunFolder, load: Callable[[str], Design]) -> Proposal | None:
        """Enter all that the ledger holds.

        Args:
            entries: the trials in order; none is running.
            folder: where their files are.
            load: reads a design.

        Returns:
            The proposal that was in work when the study was interrupted, where there is one.

        Raises:
            CannotContinueError: files of an accepted revision are missing, or not as they were scored.
        """
        latest: Entry | None = None
        for entry in entries:
            if entry.decision == INTERRUPTED:
                continue
            self.enter(_attempt(entry, folder), _work(entry), confirmed=bool(entry.attrs.get("confirmed")))
            latest = entry if self.attempts[-1].accepted else latest
        if latest is not None:
            self.incumbent = self._revision(latest, folder, load)
        last = entries[-1] if entries else None
        if last is None or last.decision != INTERRUPTED or last.attrs.get("ordinal") != self.ordinal:
            return None
        return folder.trial(last.number).read_proposal()

    def _revision(self, entry: Entry, folder: RunFolder, load: Callable[[str], Design]) -> Incumbent:
        files = folder.trial(entry.number)
        proposal, results = files.read_proposal(), files.read_results()
        if proposal is None or results is None or entry.value is None:
            raise CannotContinueError(
                f"{files.folder}: files of the accepted revision {len(self.accepted)} are missing; restore them"
            )
        asked, known = ({(r.history, r.question_id) for r in rows} for rows in (results, self.base.results))
        if asked != known:
            raise damaged(
                files.folder / "results.jsonl", f"it holds {len(asked)} questions, that of the base {len(known)}"
            )
        design = _as_scored(proposal.text, str(entry.attrs.get("design_hash", "")), files, load)
        return Incumbent(len(self.accepted), proposal.text, design, entry.value, results, files)


def _as_scored(text: str, design_hash: str, files: TrialFiles, load: Callable[[str], Design]) -> Design:
    """The design of an accepted revision, which must be the one that the ledger speaks of."""
    path = files.folder / DESIGN_FILE
    try:
        design = load(text)
    except InvalidFileError as error:
        raise damaged(path, error.problems[0].message) from None
    if design.hash != design_hash:
        raise damaged(path, f"the design that was scored is {design_hash}, this one is {design.hash}")
    return design


def _attempt(entry: Entry, folder: RunFolder) -> Attempt:
    attrs = entry.attrs
    attempt = Attempt(
        number=entry.number,
        proposal=folder.trial(entry.number).read_proposal() or Proposal(""),
        design_hash=str(attrs.get("design_hash", "")),
        parent=str(attrs.get("parent", "")),
        decision=entry.decision,
        value=entry.value,
        gain=attrs.get("gain"),
        reason=str(attrs.get("reason", "")),
        parameters=entry.params,
        work=float(attrs.get("work", 1.0)),
    )
    return attempt.as_told(confirmed=bool(attrs.get("confirmed")))


def _work(entry: Entry) -> Spent:
    attrs = entry.attrs
    return Spent(
        trials=int(entry.scored),
        seconds=float(attrs.get("seconds", 0.0)),
        calls=int(attrs.get("calls", 0)),
        usd=float(attrs.get("cost", 0.0)),
    )
