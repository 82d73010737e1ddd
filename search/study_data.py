"""What a study reads before it runs: its histories with their questions, and its base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import UserError
from designsearch.dsl.source import read_text
from designsearch.dsl.validate import load_design
from designsearch.search.contracts import Part
from designsearch.search.evaluate import Task
from designsearch.search.splits import Asked, Split, split_questions
from designsearch.search.study_file import RUNS, StudyFile
from designsearch.search.study_questions import Supply, entries, kept_questions
from designsearch.search.study_refs import is_study_ref, revision_file


@dataclass(frozen=True)
class StudyData:
    """The histories of a study with their questions.

    Attributes:
        tasks: one a history that has questions.
        pinned: the share that a history belongs to as a whole, where the study says so.
        placed: the share of single questions by history and id, where the part of the history that they were made
            from settles it.
        made: the histories whose questions were generated from them.
        notes: what was read and what is odd about it, one line each.
    """

    tasks: tuple[Task, ...]
    pinned: dict[str, Part]
    notes: tuple[str, ...]
    placed: Mapping[str, Mapping[str, Part]] = field(default_factory=dict)
    made: frozenset[str] = frozenset()

    def split(self, study: StudyFile) -> Split:
        """Divide the questions.

        Raises:
            UserError: a share would stay empty.
        """
        asked = [
            Asked(task.name, task.questions, self.pinned.get(task.name), self.placed.get(task.name, {}))
            for task in self.tasks
        ]
        return replace(split_questions(asked, study.shape.split, study.shape.seed), made=self.made)


def load_data(study: StudyFile, supply: Supply = kept_questions) -> StudyData:
    """Load the histories and questions of a study.

    Args:
        study: the study.
        supply: gives questions that are to be generated; where not given, those that were generated before.

    Raises:
        UserError: a history, a name, a source or a question file is not there or has mistakes; two histories are one.
        CannotContinueError: questions are not generated yet, or were with something else.
    """
    tasks: list[Task] = []
    pinned: dict[str, Part] = {}
    placed: dict[str, dict[str, Part]] = {}
    notes: list[str] = []
    found, whole = entries(study, supply)
    for entry in found:
        name, questions = entry.dataset.name, entry.questions
        notes += [f"{name}: {line}" for line in entry.report.lines()]
        settled = entry.settled(study) if not whole and entry.shape.split is None else {}
        if settled:
            placed[name] = settled
            if left := [question for question in questions if question.id not in settled]:
                notes.append(f"{name}: {len(left)} questions are of parts that the study has no share for: left out")
            questions = tuple(question for question in questions if question.id in settled)
        if questions:
            tasks.append(Task(entry.dataset, questions))
            if entry.shape.split is not None:
                pinned[name] = entry.shape.split
    _check_distinct(tasks)
    if not tasks:
        raise UserError(f"{study.file}: no question is left about any history; see `where`")
    made = frozenset(entry.dataset.name for entry in found if entry.generated)
    return StudyData(tuple(tasks), pinned, tuple(notes), placed, made)


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
