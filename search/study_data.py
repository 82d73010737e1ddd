"""What a study reads before it runs: its histories with their questions, and its base."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import UserError
from designsearch.dsl.source import read_text
from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import Dataset, load
from designsearch.runtime.histories.questions import full_report, load_questions
from designsearch.search.contracts import Part
from designsearch.search.evaluate import Task
from designsearch.search.splits import Asked, Split, split_questions
from designsearch.search.study_checks import OFFICIAL
from designsearch.search.study_file import RUNS, StudyFile
from designsearch.search.study_refs import is_study_ref, revision_file
from designsearch.search.study_shape import DataShape


@dataclass(frozen=True)
class StudyData:
    """The histories of a study with their questions.

    Attributes:
        tasks: one a history that has questions.
        pinned: the share that a history belongs to as a whole, where the study says so.
        notes: what was read and what is odd about it, one line each.
    """

    tasks: tuple[Task, ...]
    pinned: dict[str, Part]
    notes: tuple[str, ...]

    def split(self, study: StudyFile) -> Split:
        """Divide the questions.

        Raises:
            UserError: a share would stay empty.
        """
        asked = [Asked(task.name, task.questions, self.pinned.get(task.name)) for task in self.tasks]
        return split_questions(asked, study.shape.split, study.shape.seed)


def load_data(study: StudyFile) -> StudyData:
    """Load the histories and questions of a study.

    Raises:
        UserError: a history, a name, a source or a question file is not there or has mistakes; two histories are one.
    """
    tasks: list[Task] = []
    pinned: dict[str, Part] = {}
    notes: list[str] = []
    for entry in study.shape.data:
        for dataset, task, lines in _entry(study, entry):
            notes += [f"{dataset.name}: {line}" for line in lines]
            if task.questions:
                tasks.append(task)
                if entry.split is not None:
                    pinned[task.name] = entry.split
    _check_distinct(tasks)
    if not tasks:
        raise UserError(f"{study.file}: no question is left about any history; see `where`")
    return StudyData(tuple(tasks), pinned, tuple(notes))


def _entry(study: StudyFile, entry: DataShape) -> Iterable[tuple[Dataset, Task, Sequence[str]]]:
    datasets = load(study.history_ref(entry), entry.format, sources=entry.sources)
    which = OFFICIAL if entry.questions == OFFICIAL else study.path(entry.questions)
    where = entry.where.model_dump(exclude_none=True, mode="json") if entry.where is not None else None
    sets = load_questions(which, datasets, where)
    for dataset, found in zip(datasets, sets, strict=True):
        yield dataset, Task(dataset, found.questions), full_report(dataset, found).lines()


def _check_distinct(tasks: Sequence[Task]) -> None:
    names: set[str] = set()
    contents: dict[str, str] = {}
    for task in tasks:
        if task.name in names:
            raise UserError(f"data: two histories are called {task.name}; name each once, or rename a file")
        names.add(task.name)
        twin = contents.setdefault(task.full.fingerprint, task.name)
        if twin != task.name:
            raise UserError(f"data: {twin} and {task.name} hold the same records; name that history once")


def open_base(study: StudyFile, registry: Registry) -> Design:
    """The design that a study starts from.

    Raises:
        InvalidFileError: with every problem of it.
        UserError: it is named as a revision of a study that is not there.
    """
    path = study.path(study.shape.base)
    if not path.exists() and is_study_ref(study.shape.base):
        name, _, which = study.shape.base.rpartition("@")
        beside = study.folder / RUNS / name  # as other paths in the file, else as the command line has it
        path = revision_file(f"{beside}@{which}" if beside.is_dir() else study.shape.base)
    return load_design(read_text(path), _shown(path), registry, path.parent)


def _shown(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
