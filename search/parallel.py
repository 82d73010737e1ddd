"""Histories side by side: one piece of work a history, in threads or in processes.

A process reads the histories once, from a file that the study wrote, and keeps a cache of its own; results come back in
the order of the histories, so that a study is the same with one worker and with several.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from designsearch.runtime.cache import Cache
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.services import Services
from designsearch.search.evaluate import Runner, Task

Backend = Literal["serial", "threading", "loky"]
Work = Callable[[Runner, Task, Sequence[int]], Any]


class Histories:
    """Runs work on the questions of several histories.

    Args:
        runner: runs designs.
        tasks: the histories.
        backend: where the work runs.
        jobs: workers.
    """

    def __init__(self, runner: Runner, tasks: Sequence[Task], backend: Backend = "serial", jobs: int = 1) -> None:
        self._runner = runner
        self._tasks = tuple(tasks)
        self._backend = backend if jobs > 1 and len(self._tasks) > 1 else "serial"
        if self._backend == "loky" and _asks_models(runner):
            # calls are waited for, not computed, and their budget is kept in one place
            self._backend = "threading"
        self._jobs = jobs
        self._kept: Path | None = None

    def map(self, work: Work, shares: Sequence[tuple[int, Sequence[int]]]) -> list[Any]:
        """The result of ``work(runner, task, rows)`` for each (number of the history, rows), in that order.

        Args:
            work: a function of a module, or a ``functools.partial`` of one, so that a process can find it.
            shares: which questions of which history.
        """
        if self._backend == "serial":
            return [work(self._runner, self._tasks[number], rows) for number, rows in shares]
        from joblib import Parallel, delayed

        if self._backend == "threading":
            calls = [delayed(work)(self._runner, self._tasks[number], rows) for number, rows in shares]
        else:
            calls = [delayed(_in_process)(str(self._file()), work, number, rows) for number, rows in shares]
        made: list[Any] = Parallel(n_jobs=self._jobs, backend=self._backend)(calls)
        return made

    def _file(self) -> Path:
        """The runner and the histories for other processes; removed with this object."""
        if self._kept is None:
            self._folder = tempfile.TemporaryDirectory(prefix="designsearch-")
            self._kept = Path(self._folder.name) / "histories"
            services = self._runner.services
            plain = replace(self._runner, services=_without_memory(services))
            self._kept.write_bytes(pickle.dumps((plain, self._tasks)))
        return self._kept


def _without_memory(services: Services) -> Services:
    return replace(services, cache=Cache(services.cache.folder))


def _asks_models(runner: Runner) -> bool:
    rules = runner.answerer is None or isinstance(runner.answerer, OfflineAnswerer)
    bundled = isinstance(runner.services.embedder, StaticEmbedder)
    return not (rules and bundled) or runner.judge is not None or runner.services.helper is not None


@lru_cache(maxsize=2)
def _read(path: str) -> tuple[Runner, tuple[Task, ...]]:
    # written by the parent process into a private temporary folder a moment ago
    made: tuple[Runner, tuple[Task, ...]] = pickle.loads(Path(path).read_bytes())  # noqa: S301
    return made


def _in_process(path: str, work: Work, number: int, rows: Sequence[int]) -> Any:
    runner, tasks = _read(path)
    return work(runner, tasks[number], rows)
