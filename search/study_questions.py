"""Where the questions of a study's histories come from: the data set, a file, a folder of parts, or the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from designsearch.dsl.problems import CannotContinueError
from designsearch.runtime.histories.base import Dataset, load
from designsearch.runtime.histories.file_names import file_stems
from designsearch.runtime.histories.questions import check, full_report, load_questions
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.where import keep, parse_where
from designsearch.runtime.records import Question
from designsearch.search.contracts import PARTS, Part
from designsearch.search.differences import differences
from designsearch.search.splits import keeps_whole
from designsearch.search.study_checks import OFFICIAL
from designsearch.search.study_file import StudyFile
from designsearch.search.study_shape import DataShape, GeneratedShape
from designsearch.search.supervision.folder import SupervisionFolder, is_part, made_into, questions_about
from designsearch.search.supervision.origin import given
from designsearch.search.supervision.part_files import WHOLE
from designsearch.search.supervision.settings import SupervisionSettings

FOLDER = "supervision"
"""In a run folder: the questions that were generated, a folder for each history."""

Parted = Mapping[str, tuple[Question, ...]]
"""Questions by part; those that no part settles anything about stand under an empty name."""


@dataclass(frozen=True)
class Order:
    """Questions that a study wants generated.

    Attributes:
        dataset: the history.
        settings: how many, and how.
        shares: the parts that its records are divided into; one alone where a history is in one share as a whole.
        folder: where they are, or will be.
    """

    dataset: Dataset
    settings: SupervisionSettings
    shares: Mapping[str, float]
    folder: Path

    def finished(self) -> bool:
        """Whether they are there.

        Raises:
            CannotContinueError: those that are there were made with other settings, or from another history.
        """
        files = SupervisionFolder(self.folder)
        known = files.known()
        if known is None:
            return False
        now = given(self.dataset.history(), self.settings, self.shares)
        if changed := differences({key: known.get(key) for key in now}, now):
            raise CannotContinueError(
                f"{self.folder}: the study's questions were generated with something else:\n"
                + "\n".join(f"  {line}" for line in changed)
                + "\nput it back as it was, or start a run of its own with --fork NAME"
            )
        return files.finished()


Supply = Callable[[Order], Parted]
"""Gives the questions of an order; it may take long and cost money."""


@dataclass(frozen=True)
class Entry:
    """A history of a study with its questions.

    Attributes:
        shape: the entry of the study that it is from.
        dataset: the history.
        parted: its questions by part.
        report: what there is to say about both.
        generated: whether the questions were made from the history.
    """

    shape: DataShape
    dataset: Dataset
    parted: Parted
    report: LoadReport
    generated: bool = False

    @property
    def questions(self) -> tuple[Question, ...]:
        """All of them."""
        return tuple(question for own in self.parted.values() for question in own)

    def settled(self, study: StudyFile) -> dict[str, Part]:
        """The share of each question by its id, where its part is one of the study's shares."""
        return {
            question.id: part
            for part in PARTS
            if getattr(study.shape.split, part) > 0
            for question in self.parted.get(part, ())
        }


def kept_questions(order: Order) -> Parted:
    """The questions of an order that were generated before.

    Raises:
        CannotContinueError: they were not, or with something else.
    """
    if not order.finished():
        raise CannotContinueError(
            f"{order.folder}: the questions about {order.dataset.name} are not generated yet; designsearch run does it"
        )
    return SupervisionFolder(order.folder).questions()


def entries(study: StudyFile, supply: Supply) -> tuple[list[Entry], bool]:
    """The histories of a study with their questions, and whether each is in one share as a whole.

    What is to be generated comes last, when it is known how many histories there are.

    Raises:
        UserError: a history, a name, a source or a question file is not there or has mistakes.
        CannotContinueError, OutOfBudgetError: as ``supply``.
    """
    loaded = [
        (shape, load(study.history_ref(shape), shape.format, sources=shape.sources)) for shape in study.shape.data
    ]
    brought = {i: list(_brought(study, shape, found)) for i, (shape, found) in enumerate(loaded) if not _wants(shape)}
    whole = _whole(study, loaded, brought)
    stems = file_stems(dataset.name for _, found in loaded for dataset in found)
    made: list[Entry] = []
    for i, (shape, found) in enumerate(loaded):
        made += brought[i] if i in brought else _generated(study, shape, found, stems, supply, whole=whole)
    return made, whole


def _wants(shape: DataShape) -> bool:
    return isinstance(shape.questions, GeneratedShape)


def _whole(
    study: StudyFile, loaded: Sequence[tuple[DataShape, Sequence[Dataset]]], brought: Mapping[int, Sequence[Entry]]
) -> bool:
    """Whether each history will be in one share as a whole, as far as can be told before all questions are there."""
    asked = [
        shape.split
        for i, (shape, found) in enumerate(loaded)
        for number in range(len(found))
        if i not in brought or brought[i][number].questions
    ]
    return keeps_whole(asked, study.shape.split)


def _brought(study: StudyFile, shape: DataShape, datasets: Sequence[Dataset]) -> Iterator[Entry]:
    """The histories of an entry with questions that are there."""
    written = str(shape.questions)
    if written != OFFICIAL and (folder := study.path(written)).is_dir():
        for dataset in datasets:
            found = _filtered(shape, dataset, questions_about(dataset.name, folder))
            yield Entry(shape, dataset, found, _report(dataset, found), made_into(folder, dataset.name))
        return
    which = OFFICIAL if written == OFFICIAL else study.path(written)
    made = isinstance(which, Path) and is_part(which)
    sets = load_questions(which, datasets, _where(shape))
    for dataset, one in zip(datasets, sets, strict=True):
        yield Entry(shape, dataset, {"": one.questions}, full_report(dataset, one), made)


def _generated(
    study: StudyFile,
    shape: DataShape,
    datasets: Sequence[Dataset],
    stems: Mapping[str, str],
    supply: Supply,
    *,
    whole: bool,
) -> Iterator[Entry]:
    """The histories of an entry with questions that are made from them."""
    assert isinstance(shape.questions, GeneratedShape)
    settings = shape.questions.generate
    if "seed" not in settings.model_fields_set:
        settings = settings.model_copy(update={"seed": study.shape.seed})
    shares: Mapping[str, float] = {part: share for part in PARTS if (share := getattr(study.shape.split, part)) > 0}
    if whole or shape.split is not None:
        shares = {WHOLE: 1.0}
    for dataset in datasets:
        order = Order(dataset, settings, shares, study.run_folder / FOLDER / stems[dataset.name])
        found = _filtered(shape, dataset, supply(order))
        yield Entry(shape, dataset, found, _report(dataset, found), generated=True)


def _where(shape: DataShape) -> dict[str, object] | None:
    return shape.where.model_dump(exclude_none=True, mode="json") if shape.where is not None else None


def _filtered(shape: DataShape, dataset: Dataset, found: Parted) -> Parted:
    where = _where(shape)
    if where is None:
        return found
    every = [question for own in found.values() for question in own]
    left = {question.id for question in keep(parse_where(where), [(dataset, every)])[0]}
    return {part: tuple(question for question in own if question.id in left) for part, own in found.items()}


def _report(dataset: Dataset, found: Parted) -> LoadReport:
    report = LoadReport()
    report.merge(dataset.report)
    del report.counts["questions"]
    check(dataset.history(), [question for own in found.values() for question in own], report)
    return report
