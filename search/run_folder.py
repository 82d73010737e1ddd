"""The files of a run: what people read beside the ledger, and what a resumed study reads again.

Every file is written whole or not at all. The ledger refers to them by the trial's number and the design's hash.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.search.contracts import Failure
from designsearch.search.kept_files import damaged, read_json, read_lines, write_json, write_lines, write_text
from designsearch.search.proposers.base import Proposal
from designsearch.search.results import QuestionResult

BASE = "base"
"""Name of the folder of the base, which is no trial."""

DESIGN_FILE = "design.yaml"
"""Name of the file of a design in such a folder."""


@dataclass(frozen=True, slots=True)
class TrialFiles:
    """The files of one trial, or of the base.

    The folders of all of them stand side by side, so that a path in a design means the same in each.
    """

    folder: Path

    def write_proposal(self, proposal: Proposal, about: Mapping[str, Any]) -> None:
        """Keep a proposal before anything is spent on it; the design first, as the other file vouches for it."""
        write_text(self.folder / DESIGN_FILE, proposal.text)
        write_json(self.folder / "proposal.json", {**about, **proposal.to_json()})

    def read_proposal(self) -> Proposal | None:
        """The proposal; ``None`` where it was not written to the end."""
        line = read_json(self.folder / "proposal.json")
        path = self.folder / DESIGN_FILE
        if line is None or not path.exists():
            return None
        with _whole(self.folder / "proposal.json"):
            return Proposal.from_json(line, path.read_bytes().decode("utf-8"))

    def write_results(self, results: Iterable[QuestionResult]) -> None:
        """One line a question."""
        write_lines(self.folder / "results.jsonl", (result.to_json() for result in results))

    def read_results(self) -> list[QuestionResult] | None:
        """The results; ``None`` where there are none yet."""
        path = self.folder / "results.jsonl"
        if not path.exists():
            return None
        lines = read_lines(path)
        with _whole(path):
            return [QuestionResult.from_json(line) for line in lines]

    def write_diagnosis(self, failures: Iterable[Failure]) -> None:
        """The failures on the training questions."""
        write_json(self.folder / "diagnosis.json", [failure.to_json() for failure in failures])

    def read_diagnosis(self) -> list[Failure] | None:
        """The failures; ``None`` where there is no diagnosis yet."""
        path = self.folder / "diagnosis.json"
        lines = read_json(path)
        with _whole(path):
            return None if lines is None else [Failure.from_json(line) for line in lines]

    def write_error(self, error: Exception) -> None:
        """What went wrong, with the place in the code."""
        write_text(self.folder / "error.txt", "".join(traceback.format_exception(error)))


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one study."""

    root: Path

    @property
    def base(self) -> TrialFiles:
        """The files of the base."""
        return TrialFiles(self.root / "trials" / BASE)

    def trial(self, number: int) -> TrialFiles:
        """The files of a trial."""
        return TrialFiles(self.root / "trials" / f"{number:03d}")

    @property
    def manifest(self) -> Path:
        """What the study's results depend on."""
        return self.root / "manifest.json"

    @property
    def study_copy(self) -> Path:
        """The study file as it was when the run began."""
        return self.root / "study.yaml"

    @property
    def database(self) -> Path:
        """Where the ledger is, for a study that keeps it in a database."""
        return self.root / "database.txt"

    def storage(self, name: str) -> str:
        """Where the ledger is: the journal of that name in this folder, else the database.

        Raises:
            CannotContinueError: the journal is not there.
        """
        if self.database.exists():
            return self.database.read_text(encoding="utf-8").strip()
        journal = self.root / name
        if not journal.exists():
            raise CannotContinueError(f"{journal}: the ledger of this study is not there; restore it")
        return str(journal)

    @property
    def calls(self) -> Path:
        """Replies of models, and what they took; there where a study asks models."""
        return self.root / "calls.sqlite"

    @property
    def claim(self) -> Path:
        """The claim on the locked questions."""
        return self.root / "claim.json"

    def revision(self, number: int, design_hash: str) -> Path:
        """The file of an accepted revision; the base is number 0."""
        return self.root / "revisions" / f"{number:03d}-{design_hash}.yaml"


_MANIFEST = ("study", "objective", "seed")
"""Keys without which a manifest is none."""


def read_manifest(folder: RunFolder, *more: str) -> dict[str, Any] | None:
    """What a study's results depend on; ``None`` where the study has not begun.

    Args:
        folder: of the run.
        *more: keys that are needed beside the study's name, its objective and its seed.

    Raises:
        CannotContinueError: it is not as it was written.
    """
    manifest = read_json(folder.manifest)
    if manifest is None:
        return None
    lacking = [key for key in (*_MANIFEST, *more) if not isinstance(manifest, dict) or key not in manifest]
    if lacking:
        raise damaged(folder.manifest, f"it lacks {', '.join(lacking)}")
    return dict(manifest)


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """Tell of a file that is JSON, yet not what was written there."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(path, f"{type(error).__name__}: {error}") from None
