"""Do a study again from its kept replies, at no cost, and say whether it decides the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.models.books.calls import CallStore
from designsearch.search.differences import differences
from designsearch.search.events import Listen, silent
from designsearch.search.kept_files import read_json
from designsearch.search.ledger import INTERRUPTED, Entry, read_ledger
from designsearch.search.manifest import build_manifest
from designsearch.search.plain import plain
from designsearch.search.purse import open_purse
from designsearch.search.run_folder import RunFolder, read_manifest
from designsearch.search.study import Study
from designsearch.search.study_file import JOURNAL, StudyFile
from designsearch.search.study_setup import Prepared, roles_of

COMPARED = ("proposer", "parent", "design_hash", "gain", "gains", "losses", "p", "revision")
"""Attributes of a trial that must be the same, beside its decision and its score."""

FREE = {"minutes": None, "usd": None, "llm_calls": None}
"""Caps that a replay leaves out: it takes other time, and no money."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay found.

    Attributes:
        study: the study's name.
        trials: proposals that were done again.
        calls: calls to models that the replay made; always 0.
        found: replies that it found kept.
        differences: what is not the same, one line each; empty where all is.
    """

    study: str
    trials: int
    calls: int
    found: int
    differences: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all decisions, scores and designs are the same."""
        return not self.differences

    @property
    def text(self) -> str:
        """In a sentence; of the differences the first."""
        trials = f"{self.trials} trial" if self.trials == 1 else f"{self.trials} trials"
        head = f"replayed {trials} with {self.calls} calls"
        return f"{head}: the same decisions" if self.same else f"{head}: {self.differences[0]}"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self) | {"differences": list(self.differences), "same": self.same}


def replay(prepared: Prepared, listen: Listen = silent, also_read: Sequence[Path] = ()) -> Replayed:
    """Do a study again as far as it went; of the study itself nothing is changed.

    Args:
        prepared: the study as read.
        listen: gets what the replayed study has to say.
        also_read: files of calls of other studies, as it was run with.

    Raises:
        CannotContinueError: it has not been run, was run on something else, or a reply that it needs was not kept.
    """
    run = RunFolder(prepared.file.run_folder)
    manifest = read_manifest(run, "base", "storage")
    if manifest is None:
        raise CannotContinueError(f"{run.root}: no study has been run here, so there is nothing to replay")
    attrs, entries = read_ledger(run.storage(manifest["storage"]), manifest["study"])
    known = _finished(entries)
    with tempfile.TemporaryDirectory(prefix="designsearch-replay-") as folder:
        file = _elsewhere(prepared.file, Path(folder))
        read = [run.calls, *(path for path in also_read if path.is_file())]
        purse = open_purse(roles_of(file), lambda: CallStore(None, read, replay=True))
        try:
            study = replace(prepared, file=file).study(listen, purse)
            study.until = len(known)
            _check_same(run, manifest, study)
            outcome = study.go_on()
            _, again = read_ledger(file.storage, file.name)
            claims = [read_json(run.claim), read_json(RunFolder(file.run_folder).claim)]
        finally:
            purse.close()
    found = [
        *_base_differences(attrs.get("base", {}).get("value"), outcome.base),
        *_differences(known, _finished(again)),
        *(_claim_differences(claims[0], claims[1]) if claims[0] is not None else ()),
    ]
    asked = outcome.costs.values()
    return Replayed(
        file.name, len(known), sum(one.calls for one in asked), sum(one.cached for one in asked), tuple(found)
    )


def _elsewhere(file: StudyFile, folder: Path) -> StudyFile:
    """The study with a run folder of its own and no caps that depend on time or money."""
    budget = file.shape.budget.model_copy(update=FREE)
    storage = str((folder / "run" / JOURNAL).resolve())
    return replace(file, shape=file.shape.model_copy(update={"storage": storage, "budget": budget}))


def _check_same(run: RunFolder, manifest: Mapping[str, Any], study: Study) -> None:
    now = plain(build_manifest(study.file, study.base, study.evaluator, study.registry))
    changed = differences(manifest, now)
    if changed:
        lines = "\n".join(f"  {line}" for line in changed)
        raise CannotContinueError(f"{run.root}: this run cannot be replayed, as it was run on something else:\n{lines}")


def _finished(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if not entry.running and entry.decision != INTERRUPTED]


def _base_differences(known: float | None, now: float) -> Iterator[str]:
    if known is not None and known != now:
        yield f"the base scored {known:.4f}, and {now:.4f} in the replay"


def _differences(known: Sequence[Entry], again: Sequence[Entry]) -> Iterator[str]:
    for number, was in enumerate(known):
        if number >= len(again):
            yield f"proposal {number} (trial {was.number:03d}) was not made again"
            return
        yield from _trial_differences(number, was, again[number])


def _trial_differences(number: int, was: Entry, now: Entry) -> Iterator[str]:
    pairs = [("decision", was.decision, now.decision), ("score", was.value, now.value)]
    pairs += [(key, was.attrs.get(key), now.attrs.get(key)) for key in COMPARED]
    for key, old, new in pairs:
        if old != new:
            yield f"proposal {number} (trial {was.number:03d}): {key} was {old}, and is {new} in the replay"


def _claim_differences(was: Mapping[str, Any], now: Mapping[str, Any] | None) -> Iterator[str]:
    for key in ("base", "best", "gain", "p"):
        new = now.get(key) if now is not None else None
        if was.get(key) != new:
            yield f"the claim: {key} was {was.get(key)}, and is {new} in the replay"
