"""What a study has tried, read from the files of its run folder; nothing is written and no study need stand still.

Gains, losses and p-values follow from the results of each revision and of the one before it, as they did in the study.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import CannotContinueError, InvalidFileError
from designsearch.dsl.validate import load_design
from designsearch.search.compare import Comparison, compare, pair
from designsearch.search.contracts import Failure
from designsearch.search.kept_files import read_json
from designsearch.search.proposers.base import Proposal
from designsearch.search.report import Report, report
from designsearch.search.results import QuestionResult
from designsearch.search.run_folder import DESIGN_FILE, RunFolder, TrialFiles, read_manifest
from designsearch.search.scores import scores


@dataclass(frozen=True)
class Tried:
    """A design that a study scored.

    Attributes:
        trial: the trial's number; ``None`` for the base.
        revision: its number where it was accepted, 0 for the base, else ``None``.
        proposal: the design's text, who proposed it and why.
        design_hash, parent: identity of the design and of the one that it was made from.
        files: its folder.
        objective: the metric that is to rise.
        seed: of the study.
    """

    trial: int | None
    revision: int | None
    proposal: Proposal
    design_hash: str
    parent: str
    files: TrialFiles
    objective: str
    seed: int

    def design(self, registry: Registry) -> Design:
        """The design, with the files that it names where they are still there.

        Raises:
            InvalidFileError: it is not valid any more.
        """
        text, file = self.proposal.text, str(self.files.folder / DESIGN_FILE)
        try:
            return load_design(text, file, registry, self.files.folder)
        except InvalidFileError:
            return load_design(text, file, registry)  # what it named may have gone since

    @cached_property
    def results(self) -> Sequence[QuestionResult]:
        """Its results on the validation questions."""
        return self.files.read_results() or []

    @cached_property
    def report(self) -> Report:
        """Its results added up."""
        return report(self.results, seed=self.seed)

    @cached_property
    def value(self) -> float | None:
        """Mean of the objective."""
        found = self.report.metrics.get(self.objective)
        return found.mean if found else None

    @property
    def failures(self) -> Sequence[Failure]:
        """Its failures on the training questions; empty where it never was the incumbent."""
        return self.files.read_diagnosis() or []

    @property
    def causes(self) -> Counter[str]:
        """Those failures by what is to blame, as in ``retrieval cut``."""
        return Counter(f"{f.category} {f.kind}".strip() for f in self.failures)

    def against(self, other: Tried) -> Comparison:
        """How it differs from another design, question by question."""
        return compare(
            pair(scores(other.results, self.objective), scores(self.results, self.objective)), seed=self.seed
        )


@dataclass(frozen=True)
class RunRecord:
    """A study's run.

    Attributes:
        name: the study's name.
        objective: the metric that is to rise.
        tried: the base, then every design that was scored, in order.
    """

    name: str
    objective: str
    tried: tuple[Tried, ...]

    @property
    def trajectory(self) -> list[Tried]:
        """The base and the accepted revisions, in order."""
        return sorted((one for one in self.tried if one.revision is not None), key=lambda one: one.revision or 0)


def read_run(folder: RunFolder) -> RunRecord:
    """Read a run folder.

    Raises:
        CannotContinueError: nothing has been scored yet, or a file is damaged.
    """
    manifest = read_manifest(folder) or {}
    objective, seed = str(manifest.get("objective", "accuracy")), int(manifest.get("seed", 0))
    accepted = _accepted(folder.root / "revisions")
    tried = []
    for number, files in _trials(folder):
        about = read_json(files.folder / "proposal.json")
        proposal = files.read_proposal()
        if about is None or proposal is None or not (files.folder / "results.jsonl").is_file():
            continue  # not scored, or not yet
        design_hash = str(about.get("design_hash", ""))
        one = Tried(
            trial=number,
            revision=accepted.get(design_hash),
            proposal=proposal,
            design_hash=design_hash,
            parent=str(about.get("parent", "")),
            files=files,
            objective=objective,
            seed=seed,
        )
        if one.results and one.value is not None:
            tried.append(one)
    if not tried:
        raise CannotContinueError(f"{folder.root}: nothing has been scored yet")
    return RunRecord(str(manifest.get("study", folder.root.name)), objective, tuple(tried))


def _trials(folder: RunFolder) -> list[tuple[int | None, TrialFiles]]:
    numbers = sorted(int(path.name) for path in (folder.root / "trials").glob("[0-9]*") if path.name.isdigit())
    trials: list[tuple[int | None, TrialFiles]] = [(None, folder.base)]
    return [*trials, *((number, folder.trial(number)) for number in numbers)]


def _accepted(folder: Path) -> dict[str, int]:
    """Identity of a design to its revision."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("[0-9]*-*.yaml")):
        number, _, design_hash = path.stem.partition("-")
        found.setdefault(design_hash, int(number))
    return found
