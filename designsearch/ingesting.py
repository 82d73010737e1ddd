"""Any source that a loader reads, turned into a history of our own format, with an account of what became of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError, InvalidFileError, UserError
from designsearch.ingest_targets import Targets, check_first, targets_of
from designsearch.result_files import write_result
from designsearch.runtime.histories.base import Dataset, Format, find_format, load, parse_history_ref
from designsearch.runtime.histories.duplicates import settle
from designsearch.runtime.histories.fields import load_mapped
from designsearch.runtime.histories.labels import without_labels
from designsearch.runtime.histories.overview import Overview, overview
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.writing import history_text, questions_text
from designsearch.runtime.privacy.redact import Redactor
from designsearch.runtime.records import Question, Record

PASSES: list[Callable[[Record], Record]] = []
"""What every event goes through before it is written, in this order."""

_MAPPED = ("jsonl", "csv")
"""Formats whose files a map of fields reads."""

_MAPPED_ENDS = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
_MAP_HINT = "where its keys have other names, say which is which: --map text=KEY (records=KEY: an array in the file)"


@dataclass(frozen=True)
class Written:
    """One history that was written.

    Attributes:
        name: its name in the source.
        file: where it is now.
        overview: what it holds.
    """

    name: str
    file: Path
    overview: Overview


@dataclass(frozen=True)
class Ingested:
    """What an import did.

    Attributes:
        source: what was read.
        format: in which format.
        histories: what was written, one entry a history.
        empty: names of histories in which there was nothing, left out.
        questions: number of official questions: those written, or left out where there is no file for them.
        questions_file: where they are now; ``None`` where they were left out.
        report_file: where :meth:`document` is kept; ``None`` where the history went to a device.
    """

    source: str
    format: str
    histories: tuple[Written, ...]
    empty: tuple[str, ...]
    questions: int
    questions_file: Path | None
    report_file: Path | None

    def document(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "ingested": self.source,
            "format": self.format,
            "histories": [
                {"name": one.name, "file": str(one.file), **one.overview.document()} for one in self.histories
            ],
            "empty": list(self.empty),
            "questions": self.questions,
            "questions_file": None if self.questions_file is None else str(self.questions_file),
        }


def ingest(
    source: str | Path,
    out: str | Path,
    *,
    format: str = "auto",  # noqa: A002  the word of the option
    fields: Mapping[str, str] | None = None,
    questions: str | Path | None = None,
    overwrite: bool = False,
    passes: Sequence[Callable[[Record], Record]] | None = None,
    redactor: Redactor | None = None,
) -> Ingested:
    """Read a source and write it as a history of our own format.

    Nothing is written until everything is read; each file appears whole or not at all, the history last.

    Args:
        source: a file or folder, or ``PATH#NAME``.
        out: the file to write; a folder where the source holds several histories (one ``NAME.jsonl`` each).
        format: a format's name; ``auto``: found by looking.
        fields: for JSON, JSON lines and CSV of another shape: our field to the key that holds it.
        questions: where to write the official questions; ``None``: they are left out.
        overwrite: whether files that exist may be replaced.
        passes: what every event goes through before it is written; ``None``: :data:`PASSES`.
        redactor: replaces personal data in events, questions and in what the account quotes, after the passes.

    Raises:
        UserError: the source has a mistake, or a target exists, is the source, or cannot be written.
        CannotContinueError: the source holds no record.
    """
    path, name = parse_history_ref(str(source))
    if not path.exists():
        raise UserError(f"{path}: there is no such file or folder")
    check_first(path, out, questions, overwrite=overwrite)
    kind, found = _read(str(source), path, name, format, fields)
    cleaned = [_passed(without_labels(dataset), PASSES if passes is None else passes) for dataset in found]
    if redactor is not None:
        cleaned = [_redacted(dataset, redactor) for dataset in cleaned]
    full = [dataset for dataset in cleaned if _has_records(dataset)]
    if not full:
        raise CannotContinueError(_nothing(str(source), kind, cleaned))
    asked = sum(len(dataset.questions) for dataset in full)
    if questions is not None and not asked:
        raise UserError(f"{source}: brings no questions; leave --questions out")
    names = [dataset.name for dataset in full]
    plan = targets_of(str(source), path, names, Path(out), str(out), questions, overwrite=overwrite)
    full, rows = _questions(full, plan)
    done = Ingested(
        source=str(source),
        format=kind,
        histories=tuple(Written(d.name, plan.files[d.name], overview(d.events, d.report)) for d in full),
        empty=tuple(dataset.name for dataset in cleaned if not _has_records(dataset)),
        questions=asked if questions is None else len(rows),
        questions_file=plan.questions,
        report_file=plan.report,
    )
    _write(done, full, rows, plan)
    return done


def _read(
    source: str, path: Path, name: str | None, kind: str, fields: Mapping[str, str] | None
) -> tuple[str, list[Dataset]]:
    """The name of the format, and the histories of the source."""
    if not fields:
        entry = _format(path, kind)
        try:
            return entry.name, load(path, entry.name, name)
        except InvalidFileError as error:
            if entry.name not in _MAPPED or "not JSON" in str(error):
                raise
            raise UserError(f"{error}\n{_MAP_HINT}") from None
    if kind not in ("auto", *_MAPPED) or name not in (None, path.stem):
        raise UserError(f"{source}: a map of fields reads one whole file of JSON, JSON lines or CSV, nothing else")
    return "fields", [load_mapped(path, fields)]


def _format(path: Path, kind: str) -> Format:
    """The format of a source; where none is known that a map could read, that is said."""
    try:
        return find_format(path, kind)
    except UserError as error:
        if kind != "auto" or path.suffix.lower() not in _MAPPED_ENDS:
            raise
        raise UserError(f"{error}\n{_MAP_HINT}") from None


def _passed(dataset: Dataset, passes: Sequence[Callable[[Record], Record]]) -> Dataset:
    """The data set with every event sent through the passes."""
    events = list(dataset.events)
    for one in passes:
        events = [one(event) for event in events]
    return replace(dataset, events=tuple(events)) if passes else dataset


def _redacted(dataset: Dataset, redactor: Redactor) -> Dataset:
    """The data set without personal data, also in its questions and in the examples of its report."""
    cleaned = replace(
        dataset,
        name=redactor.text(dataset.name),
        events=tuple(map(redactor, dataset.events)),
        questions=tuple(map(redactor.question, dataset.questions)),
    )
    counts = redactor.counts.copy()
    report = LoadReport(dataset.report.counts.copy())
    for oddity in dataset.report.oddities:
        what = redactor.text(oddity.what)
        report.note(what, number=oddity.count)
        for example in oddity.examples:
            report.note(what, redactor.text(example), number=0)
    redactor.counts = counts  # what an example repeats is counted in the history alone
    return replace(cleaned, report=report)


def _has_records(dataset: Dataset) -> bool:
    """Whether there is anything but edits and deletions of what is not there."""
    return any(event.event == "add" for event in dataset.events)


def _nothing(source: str, kind: str, found: Sequence[Dataset]) -> str:
    """What is said where no record was found."""
    odd = [f"  {oddity}" for dataset in found for oddity in dataset.report.oddities]
    return "\n".join([f"{source}: holds no record (read as {kind}); nothing was written", *odd])


def _questions(found: Sequence[Dataset], plan: Targets) -> tuple[list[Dataset], list[tuple[Question, str]]]:
    """The questions to write; of those that contradict each other none, as no file of questions may hold them."""
    if plan.questions is None:
        return list(found), []
    rows: list[tuple[Question, str]] = []
    for dataset in found:
        kept, conflicts = settle(dataset.questions, dataset.report)
        torn = {one for conflict in conflicts for one in conflict.ids}
        for one in conflicts:
            dataset.report.note("questions with contradicting gold answers, left out of the file", str(one))
        history = plan.files[dataset.name].stem if plan.whole_folder else ""
        rows += [(question, history) for question in kept if question.id not in torn]
    return list(found), rows


def _write(done: Ingested, found: Sequence[Dataset], rows: Sequence[tuple[Question, str]], plan: Targets) -> None:
    """Write it all, the histories last."""
    for file in plan.files.values():
        file.parent.mkdir(exist_ok=True)
    if plan.questions is not None:
        write_result(plan.questions, questions_text(rows))
    if plan.report is not None:
        write_result(plan.report, json.dumps(done.document(), ensure_ascii=False, indent=2) + "\n")
    for dataset in found:
        write_result(plan.files[dataset.name], history_text(dataset.events))
