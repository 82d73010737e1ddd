"""What users name - a design, a history, questions - opened; shared by the Python interface and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.edit import apply, parse_override
from designsearch.dsl.needs import model_needs
from designsearch.dsl.operators import Registry
from designsearch.dsl.problems import InvalidFileError, Problem, UserError
from designsearch.dsl.source import read_text, scan
from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import Dataset, load
from designsearch.runtime.histories.questions import full_report, load_questions
from designsearch.runtime.models.settings import Role
from designsearch.runtime.operators import load_all
from designsearch.search.evaluate import Task
from designsearch.search.study_refs import is_study_ref, revision_file
from designsearch.search.supervision.folder import questions_about
from designsearch.search.supervision.part_files import part_file, parts_in


def registry() -> Registry:
    """All operators."""
    return load_all()


def is_text(source: str | Path) -> bool:
    """Whether a design is given as YAML itself rather than by the name of its file."""
    return isinstance(source, str) and "\n" in source


def is_study_file(path: Path) -> bool:
    """Whether a YAML file describes a study rather than a design, by its keys.

    Raises:
        InvalidFileError: it cannot be read, or is not YAML at all.
    """
    return _is_study(read_text(path), str(path))


def is_models_file(path: Path) -> bool:
    """Whether a YAML file names models and is neither a study nor a design, by its keys.

    Raises:
        InvalidFileError: it cannot be read, or is not YAML at all.
    """
    keys = scan(read_text(path), str(path)).value.keys()
    return "models" in keys and not keys & {"study", "data", "base", "retrieval", "storage", "context"}


def _is_study(text: str, file: str) -> bool:
    written = scan(text, file).value
    return bool(written.keys() & {"study", "data", "base"}) and "retrieval" not in written


def open_design(source: Design | str | Path, overrides: Sequence[str] = ()) -> Design:
    """A design from a file, from YAML, or from a study.

    Args:
        source: a file's path, ``STUDY@best``, ``STUDY@base``, ``STUDY@3``, the YAML itself, or a design.
        overrides: changes such as ``retrieval[0].k=50``, applied in order.

    Raises:
        InvalidFileError: with every problem of the design.
        UserError: an override is none, or fits nothing in the design; the file is a study.
    """
    if isinstance(source, Design):
        text, file, folder = source.text, source.file, source.base_dir
    elif is_text(source):
        text, file, folder = str(source), "<design>", None
    else:
        path = revision_file(str(source)) if is_study_ref(str(source)) else Path(source)
        text, file, folder = read_text(path), str(source), path.parent
    known = registry()
    for override in overrides:
        try:
            text = apply(text, parse_override(override))
        except InvalidFileError as error:
            load_design(text, file, known, folder)  # with all that is wrong, not only the syntax
            raise error from None
        except UserError as error:
            raise UserError(f"{file}: --set {override}: {error}") from None
    try:
        return load_design(text, file, known, folder)
    except InvalidFileError:
        if folder is not None and _is_study(text, file):
            raise UserError(f"{file}: this is a study, not a design; {file}@best is the best that it found") from None
        raise


def roles_for(designs: Sequence[Design], *roles: Role) -> list[Role]:
    """Those roles, the embedder, and the helper where one of the designs needs it."""
    helped = any(model_needs(design) for design in designs)
    return [*roles, "embedder", *(("helper",) if helped else ())]


def open_designs(sources: Sequence[str], overrides: Sequence[str] = ()) -> list[Design]:
    """Several designs; the problems of all of them are reported together.

    Raises:
        InvalidFileError: with every problem of every design.
    """
    designs: list[Design] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            designs.append(open_design(source, overrides))
        except InvalidFileError as error:
            problems += error.problems
    if problems:
        raise InvalidFileError(problems)
    return designs


def open_histories(
    refs: Sequence[str], history_format: str = "auto", sources: Sequence[str] | None = None
) -> list[Dataset]:
    """The histories that some references name, each with a name of its own.

    Raises:
        UserError: a path, name, format or source is not there, or a file has a mistake.
    """
    found = [dataset for ref in refs for dataset in load(ref, history_format, sources=sources or None)]
    names = [dataset.name for dataset in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"several histories are called {', '.join(twice)}; name each once, or rename a file")
    return found


def open_one_history(ref: str | Path, history_format: str = "auto", sources: Sequence[str] | None = None) -> Dataset:
    """The one history that a reference names.

    Raises:
        UserError: as :func:`open_histories`, or the source holds several histories.
    """
    found = load(ref, history_format, sources=sources or None)
    if len(found) > 1:
        names = ", ".join(dataset.name for dataset in found)
        raise UserError(f"{ref}: holds {len(found)} histories; name one of them as {ref}#NAME (it holds: {names})")
    return found[0]


def open_other_questions(datasets: Sequence[Dataset], source: Path) -> list[Task]:
    """Histories with questions of another origin: of a file, or of the folder that they were generated into.

    Raises:
        UserError: there is no such file, it has a mistake, or no question of it has evidence in these histories.
    """
    if source.is_dir():
        found = [questions_about(dataset.name, source) for dataset in datasets]
        sets = [tuple(question for own in parted.values() for question in own) for parted in found]
    else:
        sets = [one.questions for one in load_questions(source, datasets)]
    tasks = [Task(dataset, own) for dataset, own in zip(datasets, sets, strict=True) if own]
    if not any(evidence.record in task.full.row for task in tasks for q in task.questions for evidence in q.evidence):
        raise UserError(f"{source}: no question there has evidence in these histories; name a file or folder that has")
    return tasks


def open_tasks(
    datasets: Sequence[Dataset], questions: str | Path = "official", where: Sequence[str] = ()
) -> tuple[list[Task], list[str]]:
    """Histories with the questions asked of them, those without questions left out, and what is odd about either.

    Raises:
        UserError: there are no such questions, a file has a mistake, or a filter fits nothing.
    """
    if parts := parts_in(Path(questions)):
        files = ", ".join(str(part_file(Path(questions), part)) for part in parts)
        raise UserError(f"{questions}: is a folder of generated questions; name one of its files: {files}")
    sets = load_questions(questions, datasets, list(where) or None)
    tasks = [Task(dataset, found.questions) for dataset, found in zip(datasets, sets, strict=True)]
    notes = [
        f"{dataset.name}: {line}"
        for dataset, found in zip(datasets, sets, strict=True)
        for line in map(str, full_report(dataset, found).oddities)
    ]
    return [task for task in tasks if task.questions], notes
