"""From a study file to a study that can run: load the histories, divide the questions, open the base."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import UserError
from designsearch.dsl.source import read_text
from designsearch.dsl.validate import load_design
from designsearch.runtime.cache import Cache, default_folder
from designsearch.runtime.histories.base import Dataset, load
from designsearch.runtime.histories.questions import full_report, load_questions
from designsearch.runtime.models.base import answerer
from designsearch.runtime.services import Services
from designsearch.search.contracts import Part
from designsearch.search.evaluate import Runner, Task
from designsearch.search.events import Listen, silent
from designsearch.search.parallel import Histories
from designsearch.search.proposers.fit import FitProposer
from designsearch.search.proposers.make import make_proposer
from designsearch.search.splits import Asked, Split, split_questions
from designsearch.search.study import Study
from designsearch.search.study_checks import OFFICIAL
from designsearch.search.study_evaluator import StudyEvaluator
from designsearch.search.study_file import RUNS, StudyFile
from designsearch.search.study_refs import is_study_ref, revision_file
from designsearch.search.study_shape import NAME_PATTERN, DataShape


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


def open_study(study: StudyFile, registry: Registry, listen: Listen = silent) -> tuple[Study, StudyData]:
    """A study that can run, and what was read for it.

    Args:
        study: the study file.
        registry: what designs may be made of.
        listen: gets what the study has to say.

    Raises:
        UserError: something named is not there or not valid.
    """
    base = open_base(study, registry)
    data = load_data(study)
    split = data.split(study)
    shape = study.shape
    runner = Runner(
        shape.context_budget,
        Services(Cache(default_folder())),
        shape.history_view,
        answerer(shape.models.answerer) if shape.objective == "accuracy" else None,
    )
    histories = Histories(runner, data.tasks, shape.execution.backend, shape.execution.jobs)
    evaluator = StudyEvaluator(runner, data.tasks, split, shape.objective, histories)
    proposer = make_proposer(study.proposer, lambda: FitProposer(evaluator))
    return Study(study, base, evaluator, split, registry, proposer, listen), data


def forked(study: StudyFile, name: str) -> StudyFile:
    """The same study under another name, with a run folder and a ledger of its own.

    Raises:
        UserError: the name cannot be one, or is the study's own.
    """
    if re.fullmatch(NAME_PATTERN, name) is None:
        raise UserError(f"--fork {name}: use letters, digits, _, . and -, a letter or a digit first")
    if name == study.name:
        raise UserError(f"--fork {name}: that is the study's own name; choose another")
    storage = study.shape.storage if study.journal is None else None
    return replace(study, shape=study.shape.model_copy(update={"study": name, "storage": storage}))
