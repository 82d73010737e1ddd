"""A context-only edit against a cold evaluation: the edit builds no index and repeats no retrieval.

Both are whole evaluations: search, contexts within the budget, evidence metrics. Cold means an empty cache.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from pathlib import Path
from statistics import median
from time import perf_counter

from synthetic import texts

from designsearch.dsl.design import Design
from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Evidence, Question, Record
from designsearch.search.evaluate import Runner, Task

DESIGN = Path(__file__).parents[1] / "designs" / "baselines" / "window-hybrid.yaml"


def task(records: int, questions: int) -> Task:
    """A synthetic history; each question repeats every third word of the record that is its evidence."""
    events = tuple(
        Record(
            id=f"r{i}", text=text, time=f"2024-{1 + i // 2_000 % 12:02d}-{1 + i // 70 % 28:02d}", session=f"s{i // 40}"
        )
        for i, text in enumerate(texts(records, 200))
    )
    step = max(1, records // questions)
    asked = tuple(
        Question(
            id=f"q{i}",
            question=" ".join(events[i * step].text.split()[::3]),
            answer="x",
            evidence=(Evidence(f"r{i * step}"),),
        )
        for i in range(questions)
    )
    return Task(Dataset("synthetic", events), asked)


def seconds(runner: Runner, design: Design, of: Task) -> float:
    """Time of one evaluation."""
    began = perf_counter()
    runner.results(design, of, range(len(of.questions)))
    return perf_counter() - began


def main() -> None:
    """Print the ratio."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=20_000)
    options.add_argument("--questions", type=int, default=300)
    options.add_argument("--runs", type=int, default=3)
    given = options.parse_args()
    text = DESIGN.read_text(encoding="utf-8")
    registry = load_all()
    first = load_design(text, registry=registry)
    edited = load_design(
        text.replace('group: "[{{ group }}]"', 'group: "on {{ group }}"').replace("chronological", "edges"),
        registry=registry,
    )
    of = task(given.records, given.questions)
    _ = of.golds, of.answers
    pairs = []
    for _ in range(given.runs):
        runner = Runner(budget=2000)
        pairs.append((seconds(runner, first, of), seconds(runner, edited, of)))
    print(f"{given.records} records, {given.questions} questions, one core, median of {given.runs}")
    cold, edit = median(a for a, _ in pairs), median(b for _, b in pairs)
    print(f"cold                 {cold:8.2f} s")
    print(f"context-only edit    {edit:8.2f} s   cold / edit: {median(a / b for a, b in pairs):.0f}")


if __name__ == "__main__":
    main()
