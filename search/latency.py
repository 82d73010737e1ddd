"""How long one question takes when it is asked alone, as in use; a batch shares work and says little about that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from designsearch.dsl.design import Design
from designsearch.dsl.needs import asks_to_search
from designsearch.runtime.cache import Aside
from designsearch.runtime.compile import compile_design
from designsearch.runtime.records import Queries
from designsearch.search.evaluate import Runner, Task

MOST = 40
"""Questions that are timed."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds from a question to its context, the memory being open and its indexes built.

    Attributes:
        questions: how many were timed.
        p50, p95: median and 95th percentile.
    """

    questions: int
    p50: float
    p95: float

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def latency(runner: Runner, design: Design, tasks: Sequence[Task]) -> Latency | None:
    """Time some questions of each history, one after another, each as if it had never been asked.

    What the design is made of is built by then, but no question finds what was kept of its own search, by this design
    or by another with the same stages: a cache of its own is dropped at the end, and a blank after the question makes
    it another than the one that was measured.

    ``None`` where there are none, or where a model is asked to search: its replies are kept by then, and would be timed
    as if it took no time.
    """
    if asks_to_search(design):
        return None
    pipeline = compile_design(design, runner.budget, replace(runner.services, cache=Aside(runner.services.cache)))
    seconds: list[float] = []
    most = max(1, MOST // max(1, len(tasks)))
    for task in tasks:
        memory = pipeline.open(task.full)
        step = max(1, len(task.questions) // most)
        rows = range(0, len(task.questions), step)[:most]
        for number, row in enumerate([*rows[:1], *rows]):
            # the first is not timed, and under a cache key of its own: it builds what is built once
            queries = _anew(task.queries([row] if number else [row, row]))
            began = perf_counter()
            pipeline.contexts(memory, pipeline.search(memory, queries), queries)
            if number:
                seconds.append(perf_counter() - began)
    if not seconds:
        return None
    return Latency(len(seconds), float(np.percentile(seconds, 50)), float(np.percentile(seconds, 95)))


def _anew(queries: Queries) -> Queries:
    return Queries.of([f"{question} " for question in queries.questions], queries.as_of.tolist())
