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
    text, registry = DESIGN.read_text(encoding="utf-8"), load_all()
    first = load_design(text, registry=registry)
    arranged = load_design(
        text.replace("chronological", "edges").replace("[{{ group }}]", "{{ group }}:"), registry=registry
    )
    reworded = load_design(text.replace("{{ unit.author }}: {{ unit.text }}", "- {{ unit.text }}"), registry=registry)
    of = task(given.records, given.questions)
    _ = of.golds, of.answers
    rows = []
    for _ in range(given.runs):
        runner = Runner(budget=2000)
        rows.append([seconds(runner, design, of) for design in (first, arranged, reworded)])
    print(f"{given.records} records, {given.questions} questions, one core, median of {given.runs}")
    print(f"cold                      {median(row[0] for row in rows):8.2f} s")
    for column, name in ((1, "order and titles edited"), (2, "items edited")):
        ratio = median(row[0] / row[column] for row in rows)
        print(f"{name:25} {median(row[column] for row in rows):8.2f} s   cold / edit: {ratio:.0f}")


if __name__ == "__main__":
    main()
