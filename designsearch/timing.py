"""Designs of a study timed anew, one after another, each question alone: times that may be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from designsearch.crew import crew
from designsearch.dsl.design import Design
from designsearch.dsl.needs import model_needs
from designsearch.dsl.problems import UserError
from designsearch.inputs import is_study_file
from designsearch.runtime.cache import Cache, default_folder
from designsearch.search.evaluate import Runner
from designsearch.search.latency import latency
from designsearch.search.lock import Say
from designsearch.search.study_data import load_data
from designsearch.search.study_file import read_study
from designsearch.search.study_setup import roles_of


@contextmanager
def timer(study: str, say: Say) -> Iterator[Callable[[Design], float | None]]:
    """What times a design on some of a study's questions while the block runs.

    It gives the median time of a question, the memory being open and its indexes built; ``None`` for a design that
    needs a model, which would be asked, and paid, again.

    Args:
        study: the study's file.
        say: hears what is sent where.

    Raises:
        UserError: there is no such file, or something that it names is not there.
        CannotContinueError: its questions are not generated yet.
    """
    if not Path(study).is_file() or not is_study_file(Path(study)):
        raise UserError(f"--time asks the study's questions: name its file instead of {study}")
    file = read_study(study)
    tasks = load_data(file).tasks
    with crew(study if roles_of(file) else None, ["embedder"], say) as asked:
        services = asked.services(Cache(default_folder()))
        runner = Runner(file.shape.context_budget, services, file.shape.history_view)

        def timed(design: Design) -> float | None:
            found = None if model_needs(design) else latency(runner, design, tasks)
            return found.p50 if found is not None else None

        yield timed
