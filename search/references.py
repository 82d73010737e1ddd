"""What any design is measured against: chance, the newest, the whole history cut off, and the evidence itself.

All four show records in the same plain layout and within the same budget, so that a design's figures can be read: below
``random`` a design does harm; near ``recent`` its search adds nothing; ``oracle`` is the most that the answerer could
make of perfect retrieval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from zlib import crc32

import numpy as np

from designsearch.dsl.design import Design
from designsearch.dsl.validate import load_design
from designsearch.runtime.context import build_contexts
from designsearch.runtime.operators import load_all
from designsearch.runtime.pipeline import Run
from designsearch.runtime.record_index import RecordIndex
from designsearch.runtime.records import IntArray, Rankings
from designsearch.search.evaluate import Pass, Runner, Task
from designsearch.search.results import QuestionResult

LAYOUT = """\
version: 1
name: reference
retrieval: [{op: recent, k: 1}]
context:
  item: "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}"
  order: chronological
"""
"""The layout of every reference; its ranking is replaced."""

LEAST_TOKENS = 5
"""No item of this layout is shorter, so that a ranking need be no longer than the budget allows."""

REFERENCES = {
    "oracle": "the gold evidence itself",
    "whole": "the whole history from its start, cut off at the budget",
    "recent": "the most recent records",
    "random": "records by chance",
}
"""The references with what each shows, best first as a rule."""


def reference_results(
    runner: Runner, task: Task, rows: Sequence[int], kind: str, *, seed: int = 0
) -> list[QuestionResult]:
    """The results of one reference.

    Args:
        runner: budget, services, view, answerer and judge.
        task: the history and its questions.
        rows: positions of the questions in the task.
        kind: a key of ``REFERENCES``.
        seed: of ``random``.

    Returns:
        One result a question and replicate, in their order; ``design`` is the kind.
    """
    passes = list(reference_passes(runner, task, rows, kind, seed=seed))
    made = runner.results_by_row(kind, _layout(kind), passes)
    return [result for row in rows for result in made[row]]


def reference_passes(runner: Runner, task: Task, rows: Sequence[int], kind: str, *, seed: int = 0) -> Iterator[Pass]:
    """The contexts of one reference, one batch a snapshot of the history; arguments as above."""
    design = _layout(kind)
    for done in runner.passes(design, task, rows):
        chosen = _CHOOSERS[kind](done, runner.budget, done.where, seed)
        rankings = Rankings.of([(ids, -np.arange(len(ids), dtype=np.float64)) for ids in chosen])
        contexts = build_contexts(design.context, done.memory, rankings, task.queries(done.rows), runner.budget)
        yield replace(done, run=Run(rankings, ()), contexts=contexts)


@cache
def _layout(kind: str) -> Design:
    text = LAYOUT + ("  fill: stop\n" if kind == "whole" else "")
    return load_design(text, f"<{kind}>", load_all())


def _oracle(done: Pass, budget: int, where: RecordIndex, seed: int) -> list[IntArray]:
    return [_gold_units(done, row, where) for row in done.rows]


def _gold_units(done: Pass, row: int, where: RecordIndex) -> IntArray:
    units = [where.units_of(gold.record) for gold in done.task.questions[row].evidence]
    flat = np.concatenate([np.zeros(0, np.int64), *units])
    _, first = np.unique(flat, return_index=True)
    return flat[np.sort(first)]


def _whole(done: Pass, budget: int, where: RecordIndex, seed: int) -> list[IntArray]:
    return [np.arange(_most(done, budget))] * len(done.rows)


def _recent(done: Pass, budget: int, where: RecordIndex, seed: int) -> list[IntArray]:
    return [np.arange(done.memory.size)[::-1][: _most(done, budget)]] * len(done.rows)


def _random(done: Pass, budget: int, where: RecordIndex, seed: int) -> list[IntArray]:
    """A draw of its own for each question, which neither its position nor the other questions change."""
    size, most = done.memory.size, _most(done, budget)
    ids = [done.task.questions[row].id for row in done.rows]
    generators = [np.random.default_rng([seed, crc32(one.encode("utf-8", "surrogatepass"))]) for one in ids]
    return [generator.permutation(size)[:most] for generator in generators]


def _most(done: Pass, budget: int) -> int:
    return min(done.memory.size, budget // LEAST_TOKENS + 1)


_CHOOSERS: dict[str, Callable[[Pass, int, RecordIndex, int], list[IntArray]]] = {
    "oracle": _oracle,
    "whole": _whole,
    "recent": _recent,
    "random": _random,
}
