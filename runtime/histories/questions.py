"""Questions about histories: the official ones of a data set, or those of a file; and the check of both together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.question_file import QuestionSet, read_question_file
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.histories.where import keep, parse_where
from designsearch.runtime.records import History, Question

OFFICIAL = "official"


def load_questions(
    which: str | Path,
    datasets: Sequence[Dataset],
    where: Mapping[str, Any] | Sequence[str] | None = None,
) -> list[QuestionSet]:
    """The questions about each of some histories.

    Args:
        which: ``official`` for those that the data sets bring, or a file of questions; of a file, a question with a
            ``history`` goes to the history of that name, one without to every history.
        datasets: the histories.
        where: filters, as :func:`parse_where` reads them.

    Returns:
        One set for each data set, in the same order. The report of each names the evidence that its history lacks.

    Raises:
        UserError: there are no such questions, the file has a mistake, or a filter fits nothing.
    """
    sets = _official(datasets) if str(which) == OFFICIAL else _of_file(Path(which), datasets)
    filters = parse_where(where)
    kept = keep(filters, [(d, s.questions) for d, s in zip(datasets, sets, strict=True)]) if filters else None
    result = []
    for i, (dataset, found) in enumerate(zip(datasets, sets, strict=True)):
        questions = found.questions if kept is None else tuple(kept[i])
        report = LoadReport()
        report.merge(found.report)
        if left_out := len(found.questions) - len(questions):
            report.note("questions left out by `where`", number=left_out)
        check(dataset.history(), questions, report)
        result.append(QuestionSet(questions, report))
    return result


def _official(datasets: Sequence[Dataset]) -> list[QuestionSet]:
    """The questions that the data sets bring."""
    if not any(dataset.questions for dataset in datasets):
        names = ", ".join(dataset.name for dataset in datasets)
        raise UserError(
            f"questions: official: {names} brings no questions; name a file of questions, or have some made "
            "from the history: {generate: {count: 200}} in a study, else designsearch supervise"
        )
    return [QuestionSet(dataset.questions, LoadReport()) for dataset in datasets]


def _of_file(path: Path, datasets: Sequence[Dataset]) -> list[QuestionSet]:
    """The questions of a file, each given to the histories that it is about."""
    found = read_question_file(path)
    names = {dataset.name for dataset in datasets}
    sets = []
    for dataset in datasets:
        own = tuple(q for q in found.questions if q.meta.get("history", dataset.name) == dataset.name)
        report = LoadReport()
        report.merge(found.report)
        if others := sum(q.meta.get("history", dataset.name) not in names for q in found.questions):
            report.note("questions about other histories, left out", number=others)
        sets.append(QuestionSet(own, report))
    return sets


def missing_evidence(history: History, questions: Sequence[Question]) -> dict[str, tuple[str, ...]]:
    """Question id to the evidence records that the history does not hold; only questions that lack some."""
    lacking = {q.id: tuple(e.record for e in q.evidence if e.record not in history.row) for q in questions}
    return {question_id: records for question_id, records in lacking.items() if records}


def check(history: History, questions: Sequence[Question], report: LoadReport) -> None:
    """Check that questions and history fit; what does not goes into the report.

    Counted: questions by type, those to abstain from, those without evidence. Noted: evidence that the history does
    not hold, quotes that do not stand in their record, evidence that is later than its question.

    Args:
        history: the whole history.
        questions: the questions about it.
        report: gets the findings.
    """
    report.count("questions", len(questions))
    for question in questions:
        report.count(f"of type {question.type}")
        if not question.answerable:
            report.count("to abstain from")
        if not question.evidence:
            report.count("without evidence")
    for question_id, records in missing_evidence(history, questions).items():
        report.note("evidence that the history does not hold", f"{question_id}: {', '.join(records)}", len(records))
    for question in questions:
        _check_evidence(history, question, report)


def _check_evidence(history: History, question: Question, report: LoadReport) -> None:
    """Whether the records that a question rests on say what it quotes, and were there when it was asked."""
    as_of = parse_time(question.as_of) if question.as_of else None
    for entry in question.evidence:
        row = history.row.get(entry.record)
        if row is None:
            continue
        if entry.quote is not None and entry.quote not in history.texts[row]:
            report.note("quotes that do not stand in their record", f"{question.id}: {entry.record}")
        time = history.time_texts[row]
        if as_of is not None and time and not parse_time(time).known_by(as_of):
            report.note("evidence that is later than its question", f"{question.id}: {entry.record}")


def full_report(dataset: Dataset, questions: QuestionSet) -> LoadReport:
    """What there is to say about a history and the questions that are used with it."""
    report = LoadReport()
    report.merge(dataset.report)
    del report.counts["questions"]
    report.merge(questions.report)
    return report
