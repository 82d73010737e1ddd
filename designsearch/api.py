"""The functions of the Python interface; ``Memory`` is in a file of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

from designsearch.crew import Models, crew, read_models
from designsearch.dsl.design import Design
from designsearch.dsl.diff import Change
from designsearch.dsl.diff import diff as compare
from designsearch.dsl.problems import CannotContinueError, InvalidFileError, Problem
from designsearch.inputs import (
    is_models_file,
    is_study_file,
    is_text,
    open_design,
    open_histories,
    open_tasks,
    roles_for,
)
from designsearch.runtime.cache import Cache
from designsearch.runtime.compile import DEFAULT_BUDGET
from designsearch.runtime.histories.base import Dataset
from designsearch.search.evaluate import HistoryView, Runner
from designsearch.search.report import Report, report
from designsearch.search.study_file import read_study


def load_design(source: Design | str | Path, set: Sequence[str] = ()) -> Design:  # noqa: A002  the option's name
    """Read and validate a design.

    Args:
        source: a file, ``STUDY@best``, ``STUDY@3``, or the YAML itself.
        set: changes such as ``retrieval[0].k=50``.

    Raises:
        InvalidFileError: with every problem and its place.
    """
    return open_design(source, set)


def validate(source: str | Path) -> list[Problem]:
    """All problems of a design (a file, or the YAML itself), a study file or one of models; none where it is valid."""
    try:
        if not is_text(source) and is_study_file(Path(source)):
            read_study(source)
        elif not is_text(source) and is_models_file(Path(source)):
            read_models(source)
        else:
            open_design(source)
    except InvalidFileError as error:
        return list(error.problems)
    return []


def diff(old: Design | str | Path, new: Design | str | Path) -> list[Change]:
    """What changed in meaning from one design to another; nothing for reformatting and comments.

    Raises:
        InvalidFileError: one of them is not valid.
    """
    return compare(open_design(old), open_design(new))


def evaluate(
    design: Design | str | Path,
    history: str | Path | Dataset | Iterable[str | Path | Dataset],
    questions: str | Path = "official",
    *,
    format: str = "auto",  # noqa: A002  the word of the study file and of the option
    sources: Sequence[str] | None = None,
    where: Sequence[str] = (),
    budget: int = DEFAULT_BUDGET,
    history_view: HistoryView = "all",
    seed: int = 0,
    models: Models | None = None,
) -> Report:
    """Measure a design on questions.

    Args:
        design: a file, ``STUDY@best``, the YAML itself, or a loaded design.
        history: one or several histories: files, folders, ``PATH#NAME``, or loaded data sets.
        questions: ``official`` for those that the data set brings, or a file of questions.
        format: the format of the histories; ``auto`` finds out.
        sources: keep only records from these sources.
        where: filters on the questions, such as ``type=fact``.
        budget: the most tokens that a context may have.
        history_view: ``as_of`` hides from a question what was known only after it was asked.
        seed: of the intervals' resampling.
        models: who answers, judges, helps and embeds: a file of models, a study file, or a mapping as a study's
            ``models``; rules where not given.

    Raises:
        UserError: something named is not there or not valid; the message says what.
        CannotContinueError: no question is left to measure, or a model cannot be asked.
    """
    loaded = open_design(design)
    several = [history] if isinstance(history, str | Path | Dataset) else list(history)
    datasets = [one for one in several if isinstance(one, Dataset)]
    datasets += open_histories([str(one) for one in several if not isinstance(one, Dataset)], format, sources)
    tasks, _ = open_tasks(datasets, questions, where)
    if not tasks:
        raise CannotContinueError("no question is left to measure")
    label = loaded.name or loaded.hash
    with crew(models, roles_for([loaded], "answerer", "judge"), _say) as asked:
        runner = Runner(budget, asked.services(Cache()), history_view, asked.answerer(), asked.judge())
        results = [r for task in tasks for r in runner.results(loaded, task, range(len(task.questions)), label)]
    return report(results, seed=seed)


def _say(line: str) -> None:
    """What is sent where, for whoever listens to the package's log."""
    logging.getLogger("designsearch").info(line)
