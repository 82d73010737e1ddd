"""The trials of a study as its ledger has them: what ``designsearch log`` shows. Nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.kept_files import read_json
from designsearch.search.ledger import QUESTIONS, Entry, read_ledger
from designsearch.search.run_folder import RunFolder, read_manifest


@dataclass(frozen=True, slots=True)
class Row:
    """One trial.

    Attributes:
        trial: its number.
        decision: ``accepted``, ``rejected``, ``indecisive``; or why it was not scored; ``running``.
        revision: its number where it was accepted.
        value: its validation score; ``None`` where it was not scored.
        gain: mean difference to the incumbent.
        gains, losses: questions better and worse.
        p: one-sided p-value for "better"; ``None`` where no test was made.
        answer_recall: share of the gold answers that stands in the contexts.
        tokens: mean length of a context.
        proposer: who proposed it.
        rationale: why.
        reason: one sentence about the decision.
        design_hash, parent: identity of the design and of the one that it was made from.
    """

    trial: int
    decision: str
    revision: int | None
    value: float | None
    gain: float | None
    gains: int | None
    losses: int | None
    p: float | None
    answer_recall: float | None
    tokens: float | None
    proposer: str
    rationale: str
    reason: str
    design_hash: str
    parent: str


@dataclass(frozen=True, slots=True)
class Log:
    """The trials of a study.

    Attributes:
        study: its name.
        objective: the metric that is to rise.
        base_hash: identity of the base.
        base: its validation score; ``None`` while it is being scored.
        rows: the trials in order, unfinished and interrupted ones too.
        claim: what the locked questions said, as plain JSON; ``None`` before.
        questions, generated: number of its questions, and of those that were generated from the histories; 0 where the
            study did not note it.
    """

    study: str
    objective: str
    base_hash: str
    base: float | None
    rows: tuple[Row, ...]
    claim: dict[str, Any] | None
    questions: int = 0
    generated: int = 0

    def count(self, *decisions: str) -> int:
        """Number of trials with one of these decisions."""
        return sum(row.decision in decisions for row in self.rows)

    @property
    def best(self) -> float | None:
        """Validation score of the incumbent."""
        values = [row.value for row in self.rows if row.revision is not None and row.value is not None]
        return values[-1] if values else self.base


def read_log(folder: RunFolder) -> Log:
    """The log of a run.

    Raises:
        CannotContinueError: the run folder has no ledger, or files are damaged.
    """
    manifest = read_manifest(folder, "base", "storage")
    if manifest is None:
        raise CannotContinueError(f"{folder.root}: no study has been run here")
    attrs, entries = read_ledger(folder.storage(manifest["storage"]), manifest["study"])
    base, asked = attrs.get("base", {}), attrs.get(QUESTIONS, {})
    return Log(
        study=manifest["study"],
        objective=manifest["objective"],
        base_hash=manifest["base"],
        base=base.get("value"),
        rows=tuple(_row(entry, folder) for entry in entries),
        claim=read_json(folder.claim),
        questions=asked.get("all", 0),
        generated=asked.get("generated", 0),
    )


def _row(entry: Entry, folder: RunFolder) -> Row:
    attrs = entry.attrs
    about = read_json(folder.trial(entry.number).folder / "proposal.json") or {}
    return Row(
        trial=entry.number,
        decision="running" if entry.running else entry.decision,
        revision=attrs.get("revision"),
        value=entry.value,
        gain=attrs.get("gain"),
        gains=attrs.get("gains"),
        losses=attrs.get("losses"),
        p=attrs.get("p"),
        answer_recall=attrs.get("answer_recall"),
        tokens=attrs.get("tokens"),
        proposer=str(attrs.get("proposer", "")),
        rationale=str(about.get("rationale", "")),
        reason=str(attrs.get("reason", "")),
        design_hash=str(attrs.get("design_hash", "")),
        parent=str(attrs.get("parent", "")),
    )
